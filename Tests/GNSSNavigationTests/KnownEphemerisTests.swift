// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import GPSTestTraits
import Testing
import UBX

@Suite(
    .timeLimit(.generous),
    .enabled(if: !NavigationRecordings.names.isEmpty, "recordings with known answers are not here"))
struct KnownEphemerisTests {
    @Test(arguments: NavigationRecordings.names)
    func `every ephemeris of a recording equals the known answer`(_ name: String) throws {
        let found = try ephemerides(of: name)
        var answers: Set<Record> = []
        for suffix in ["nav", "gps-qzss.nav"] {
            let text = String(
                decoding: try NavigationRecordings.content("\(name).\(suffix).zst"), as: UTF8.self)
            // The second file has only one message that the first one does not have.
            let answer = NavigationRecordings.ephemerides(ofRINEX: text).filter {
                suffix == "nav" || $0.message == .lnav
            }
            answers.formUnion(answer.map { Record($0) })
        }
        #expect(!answers.isEmpty)
        let records = found.map { Record($0) }
        #expect(Set(records).count == records.count, "an ephemeris is reported twice")
        let missing = answers.subtracting(records)
        #expect(missing.isEmpty, "\(missing.map(\.description).sorted())")
        let more = Set(records).subtracting(answers)
        // The program that made the answers waits for a further word, which these two do not have.
        let known = ["f9p-qzss-36s", "x20p-nav"].contains(name) ? 1 : 0
        #expect(more.count == known, "\(more.map(\.description).sorted())")
    }

    @Test(arguments: NavigationRecordings.names)
    func `an ephemeris is the same after it was written to RINEX and read`(_ name: String) throws {
        for ephemeris in try ephemerides(of: name) {
            for isVersion4 in [false, true] {
                let text = TextBuffer.text {
                    $0.append(rinex: ephemeris, isVersion4: isVersion4)
                }
                let read = NavigationRecordings.ephemerides(ofRINEX: header + text)
                #expect(read.map { Record($0) } == [Record(ephemeris)])
            }
        }
    }

    fileprivate func ephemerides(of name: String) throws -> [Ephemeris] {
        try NavigationRecordings.results(of: name).compactMap {
            if case .ephemeris(let ephemeris) = $0 { ephemeris } else { nil }
        }
    }
}

private let header = String(repeating: " ", count: 60) + "END OF HEADER\n"

/// An ephemeris, as far as RINEX contains it.
private struct Record: Hashable, CustomStringConvertible {
    let ephemeris: Ephemeris
    let numbers: [Int]

    init(_ ephemeris: Ephemeris) {
        self.ephemeris = ephemeris
        let isBeiDou = ephemeris.satellite.constellation == .beiDou
        // The answers have an invented issue for BeiDou, and QZSS's flag as for GPS. Times of
        // transmission, and the frequency of the GLONASS message, are compared in the header.
        var left: Set<NavigationParameter> = [
            .week,
            .tow, .tk, .n4, .bn, .hsE5a, .dvsE5a, .hsE5b, .dvsE5b,
        ]
        if isBeiDou { left.formUnion([.iode]) }
        if ephemeris.satellite.constellation == .galileo { left.insert(.channel) }
        if ephemeris.satellite.constellation == .qzss { left.insert(.fit) }
        numbers = NavigationParameter.allCases.map {
            left.contains($0) ? 0 : ephemeris.numbers[$0]
        }
    }

    static func == (a: Record, b: Record) -> Bool {
        a.ephemeris.satellite == b.ephemeris.satellite && a.ephemeris.message == b.ephemeris.message
            && a.ephemeris.toe == b.ephemeris.toe && a.ephemeris.toc == b.ephemeris.toc
            && a.numbers == b.numbers
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ephemeris.satellite)
        hasher.combine(numbers)
    }

    var description: String {
        let shown = zip(NavigationParameter.allCases, numbers).filter { $1 != 0 }
            .map { "\($0)=\($1)" }
        return "\(ephemeris.satellite) \(ephemeris.message) \(ephemeris.toe) \(shown)"
    }
}

/// Damaged messages of the recordings.
extension KnownEphemerisTests {
    @Test(arguments: NavigationRecordings.names)
    func `a frame with a wrong bit never gives a wrong ephemeris`(_ name: String) throws {
        // For each message, the frames of the first satellite that had an ephemeris.
        var frames: [SatelliteID: [RxmSFRBX]] = [:]
        var decoder = NavigationDecoder()
        var found: [NavigationMessage: (Ephemeris, [RxmSFRBX])] = [:]
        try NavigationRecordings.forEachFrame(of: name) { frame in
            guard let message = RxmSFRBX(frame),
                let constellation = Constellation(gnssID: Int(message.gnssID)),
                let satellite = SatelliteID(constellation, Int(message.svid))
            else { return decoder.push(frame) { _ in } }
            frames[satellite, default: []].append(message)
            decoder.push(frame) { result in
                guard case .ephemeris(let ephemeris) = result, found[ephemeris.message] == nil
                else { return }
                found[ephemeris.message] = (ephemeris, frames[ephemeris.satellite] ?? [])
            }
        }
        #expect(!found.isEmpty)
        for (ephemeris, all) in found.values {
            // Only those without which there is no ephemeris.
            var frames = all.suffix(80).map(\.self)
            for index in frames.indices.reversed() {
                var fewer = frames
                fewer.remove(at: index)
                if Self.ephemerides(of: fewer, near: ephemeris).contains(where: {
                    $0.numbers == ephemeris.numbers
                }) {
                    frames = fewer
                }
            }
            #expect(frames.count <= 10)
            var wrong: [String] = []
            for index in frames.indices {
                for bit in 0..<frames[index].words.count * 32 {
                    var frames = frames
                    frames[index].words[bit / 32].bits ^= 1 << UInt32(bit % 32)
                    let results = Self.ephemerides(of: frames, near: ephemeris)
                    if results.contains(where: { $0.numbers != ephemeris.numbers }) {
                        wrong.append("\(ephemeris.message): bit \(bit) of frame \(index)")
                    }
                }
            }
            #expect(wrong.isEmpty)
        }
    }

    /// The ephemerides in the messages of a satellite, for a receiver that knows the time.
    private static func ephemerides(
        of frames: [RxmSFRBX], near ephemeris: Ephemeris
    ) -> [Ephemeris] {
        var time = NavTIMEGPS()
        time.week = Int16(ephemeris.toe / 604_800)
        time.timeOfWeekMilliseconds = UInt32(ephemeris.toe % 604_800 * 1000)
        time.validity = NavTIMEGPS.Validity(rawValue: 7)
        var decoder = NavigationDecoder()
        var ephemerides: [Ephemeris] = []
        for bytes in [time.frame] + frames.map(\.frame) {
            guard let frame = UBXFrame(bytes.span) else { continue }
            decoder.push(frame) {
                if case .ephemeris(let new) = $0, new.message == ephemeris.message {
                    ephemerides.append(new)
                }
            }
        }
        return ephemerides
    }

    @Test func `assistance messages have the known bytes`() throws {
        let lines = String(
            decoding: try NavigationRecordings.content("mga-eph.tsv"), as: UTF8.self
        ).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!lines.isEmpty)
        var frames: [String: [String]] = [:]
        for line in lines {
            let parts = line.split(separator: "\t").map(String.init)
            frames[parts[0], default: []].append(parts[3])
        }
        for (name, expected) in frames {
            let made = try ephemerides(of: name).compactMap { ephemeris in
                ephemeris.assistance.map {
                    $0.map { String(hexadecimal: UInt64($0), width: 2) }.joined()
                }
            }
            let missing = Set(expected).subtracting(made)
            #expect(missing.isEmpty, "\(name): \(missing)")
            #expect(made.count == expected.count, "\(name)")
        }
    }
}
