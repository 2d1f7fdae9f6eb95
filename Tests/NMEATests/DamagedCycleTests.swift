// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Cycles of which one sentence was damaged on the line.
@Suite(.timeLimit(.generous)) struct DamagedCycleTests {
    /// A receiver whose values all differ from epoch to epoch.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sentences: @Sendable (_ epoch: Int) -> [String]

        var beginsWithGSA: Bool { sentences(0).first?.contains("GSA") == true }

        static let all = [
            Kind(testDescription: "u-blox 8") { n in
                let (lat, lon) = ("48\(12 + n).5000\(n),N", "0162\(n).4200\(n),E")
                let time = "1015\(20 + n).00"
                return [
                    "GNRMC,\(time),A,\(lat),\(lon),1\(n).1,9\(n).5,210326,,,A",
                    "GNVTG,9\(n).5,T,,M,1\(n).1,N,2\(n).2,K,A",
                    "GNGGA,\(time),\(lat),\(lon),1,08,0.8\(n),17\(n).4,M,43.\(n),M,,",
                    "GNGSA,A,3,05,07,13,14,1\(n),,,,,,,,1.\(n)9,0.8\(n),1.\(n)6",
                    "GNGSA,A,3,65,71,7\(n),,,,,,,,,,1.\(n)9,0.8\(n),1.\(n)6",
                    "GPGSV,2,1,07,05,62,28\(n),44,07,52,18\(n),43,13,42,08\(n),42,14,32,13\(n),41",
                    "GPGSV,2,2,07,15,62,28\(n),44,17,52,18\(n),43,19,42,08\(n),42",
                    "GLGSV,1,1,03,65,62,28\(n),44,71,52,18\(n),43,73,42,08\(n),42",
                    "GNGLL,\(lat),\(lon),\(time),A,A",
                    "GNGST,\(time),2\(n),,,,1.\(n),1.\(n + 1),2.\(n)",
                    "GNZDA,\(time),21,03,2026,00,00",
                ]
            },
            Kind(testDescription: "u-blox 10") { n in
                let (lat, lon) = ("48\(12 + n).5000\(n),N", "0162\(n).4200\(n),E")
                let time = "1015\(20 + n).00"
                return [
                    "GNRMC,\(time),A,\(lat),\(lon),1\(n).1,9\(n).5,210326,,,A,V",
                    "GNVTG,9\(n).5,T,,M,1\(n).1,N,2\(n).2,K,A",
                    "GNGGA,\(time),\(lat),\(lon),1,12,0.8\(n),17\(n).4,M,43.\(n),M,,",
                    "GNGSA,A,3,05,07,13,14,1\(n),,,,,,,,1.\(n)9,0.8\(n),1.\(n)6,1",
                    "GNGSA,A,3,02,03,0\(n),,,,,,,,,,1.\(n)9,0.8\(n),1.\(n)6,3",
                    "GNGSA,A,3,06,08,09,11,1\(n),20,21,,,,,,1.\(n)9,0.8\(n),1.\(n)6,4",
                    "GPGSV,1,1,02,05,62,28\(n),44,07,52,18\(n),43,1",
                    "GAGSV,1,1,02,02,62,28\(n),44,03,52,18\(n),43,7",
                    "GBGSV,1,1,02,06,62,28\(n),44,08,52,18\(n),43,1",
                    "GNGLL,\(lat),\(lon),\(time),A,A",
                ]
            },
            Kind(testDescription: "MTK") { n in
                let (lat, lon) = ("48\(12 + n).5000\(n),N", "0162\(n).4200\(n),E")
                let time = "1015\(20 + n).000"
                return [
                    "GNGGA,\(time),\(lat),\(lon),1,8,0.8\(n),17\(n).4,M,43.\(n),M,,",
                    "GPGSA,A,3,05,07,13,14,1\(n),,,,,,,,1.\(n)9,0.8\(n),1.\(n)6",
                    "GLGSA,A,3,65,71,7\(n),,,,,,,,,,1.\(n)9,0.8\(n),1.\(n)6",
                    "GPGSV,2,1,07,05,62,28\(n),44,07,52,18\(n),43,13,42,08\(n),42,14,32,13\(n),41",
                    "GPGSV,2,2,07,15,62,28\(n),44,17,52,18\(n),43,19,42,08\(n),42",
                    "GLGSV,1,1,03,65,62,28\(n),44,71,52,18\(n),43,73,42,08\(n),42",
                    "GNRMC,\(time),A,\(lat),\(lon),1\(n).1,9\(n).5,210326,,,A",
                    "GNVTG,9\(n).5,T,,M,1\(n).1,N,2\(n).2,K,A",
                ]
            },
            Kind(testDescription: "SiRF") { n in
                let (lat, lon) = ("48\(12 + n).5000\(n),N", "0162\(n).4200\(n),E")
                let time = "1015\(20 + n).000"
                return [
                    "GPGGA,\(time),\(lat),\(lon),1,05,0.8\(n),17\(n).4,M,43.\(n),M,,",
                    "GPGSA,A,3,05,07,13,14,1\(n),,,,,,,,1.\(n)9,0.8\(n),1.\(n)6",
                    "GPRMC,\(time),A,\(lat),\(lon),1\(n).1,9\(n).5,210326,,",
                ]
            },
            Kind(testDescription: "GSA first") { n in
                let (lat, lon) = ("48\(12 + n).5000\(n),N", "0162\(n).4200\(n),E")
                let time = "1015\(20 + n).000"
                return [
                    "GPGSA,A,3,05,07,13,14,1\(n),,,,,,,,1.\(n)9,0.8\(n),1.\(n)6",
                    "GPRMC,\(time),A,\(lat),\(lon),1\(n).1,9\(n).5,210326,,",
                    "GPVTG,9\(n).5,T,,M,1\(n).1,N,2\(n).2,K",
                    "GPGGA,\(time),\(lat),\(lon),1,05,0.8\(n),17\(n).4,M,43.\(n),M,,",
                ]
            },
        ]
    }

    enum Line: CaseIterable { case silent, busy, file }

    /// The values of a fix, or of a satellite view, by name. Unknown values are not contained.
    private static func values(_ value: Any, _ prefix: String = "") -> [String: String] {
        var values: [String: String] = [:]
        for child in Mirror(reflecting: value).children {
            let name = prefix + (child.label ?? "").drop { $0 == "_" }
            let mirror = Mirror(reflecting: child.value)
            switch mirror.displayStyle {
            case .optional:
                if let first = mirror.children.first { values[name] = "\(first.value)" }
            case .struct where !mirror.children.isEmpty && name.count < 60:
                values.merge(Self.values(child.value, name + ".")) { $1 }
            default: values[name] = "\(child.value)"
            }
        }
        return values
    }

    private struct Result {
        var fix: Fix
        /// The numbers of satellite signals in view, and of satellites used.
        var signals: Int
        var used: Int
    }

    /// Returns a sentence of which a byte was lost.
    private static func damaged(_ text: String) -> String {
        String(text.prefix(9)) + text.dropFirst(10)
    }

    /// Decodes nine epochs. The sentences with the numbers in `lost` are damaged.
    private func decode(_ kind: Kind, _ line: Line, without lost: Range<Int>) -> [TimeOfDay: Result]
    {
        var decoder = NMEADecoder()
        decoder.learnsCycles = line != .file
        var results: [TimeOfDay: Result] = [:]
        func take(_ event: DecoderEvent) {
            guard case .fix(let fix, let view) = event else { return }
            guard let time = fix.timeOfDay, results[time] == nil else {
                Issue.record("a second fix, or one without a time")
                return
            }
            results[time] = Result(
                fix: fix, signals: view.signals.count, used: view.used.count)
        }
        var number = 0
        for epoch in 0..<9 {
            for body in kind.sentences(epoch) {
                let text = NMEATests.line(body)
                decoder.push(
                    (lost.contains(number) ? Self.damaged(text) : text).bytes.span, take
                )
                number += 1
            }
            if line == .silent { decoder.silence(take) }
        }
        decoder.finish(take)
        return results
    }

    @Test(arguments: Kind.all, Line.allCases)
    func `a fix lacks only what the damaged sentences said`(_ kind: Kind, _ line: Line) {
        // Without a pause, a GSA at the beginning of a cycle belongs to the epoch before.
        guard !kind.beginsWithGSA || line == .silent else { return }
        let whole = decode(kind, line, without: 0..<0)
        #expect(whole.count == 9)
        let count = kind.sentences(0).count
        for first in 6 * count..<7 * count {
            // If a whole cycle is lost, its end and the beginning of the next one look like one.
            for lost in (1..<min(4, count)).map({ first..<first + $0 }) {
                let damaged = decode(kind, line, without: lost)
                let affected = lost.map { 20 + $0 / count }
                #expect(Set(damaged.keys).isSubset(of: whole.keys))
                for (time, expected) in whole {
                    let isAffected = affected.contains(time.second)
                    let name = "\(lost.lowerBound % count) \(lost.count) \(time.second)"
                    guard let found = damaged[time] else {
                        #expect(isAffected, "no fix: \(name)")
                        continue
                    }
                    compare(found, expected, isDamaged: isAffected, name)
                }
            }
        }
    }

    private func compare(
        _ found: Result, _ expected: Result, isDamaged: Bool, _ name: String
    ) {
        if found.fix != expected.fix {
            let (values, whole) = (Self.values(found.fix), Self.values(expected.fix))
            // Without GST, the accuracy is that of the DOPs.
            let isOtherAccuracy = values["accuracy.source"] != whole["accuracy.source"]
            for key in Set(values.keys).union(whole.keys) where values[key] != whole[key] {
                let isAbsent = values[key] == nil
                let isOther = isOtherAccuracy && key.hasPrefix("accuracy.")
                let isRight = isDamaged && (isAbsent || isOther)
                #expect(isRight, "\(name): \(key) is \(values[key] ?? "absent")")
            }
        }
        #expect(found.signals == expected.signals, "\(name)")
        #expect(found.used == expected.used, "\(name)")
    }
}
