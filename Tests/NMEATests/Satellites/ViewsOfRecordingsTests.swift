// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The views of real receivers' recordings, compared with the GSA and GGA of the same second, which
/// are read here without the decoder.
@Suite(
    .timeLimit(.generous),
    .enabled(if: Corpus.folder != nil, "no recordings: set GPSBRIDGE_CORPUS to their folder"))
struct ViewsOfRecordingsTests {
    /// The values of GSA, GGA and GNS of one time.
    private struct Reported {
        var hdops: Set<Double> = []
        var vdops: Set<Double> = []
        var pdops: Set<Double> = []
        var names: Set<String> = []
        var hasGSA = false
    }

    /// Recordings with missing sentences: once a GSA follows the lists of its second, so that two
    /// DOPs are not known yet.
    private static let incomplete = ["iTrek.log": 2]

    @Test(arguments: Corpus.names)
    func `a view has the DOPs and the satellites used of its own epoch`(name: String) throws {
        let decoded = Transcript([try Corpus.bytes(name)[...]])
        let reported = Self.collect(decoded.sentences)
        var problems: [String] = []
        var last: Fix?
        for event in decoded.events {
            if case .fix(let fix) = event { last = fix }
            guard case .satellites(let view) = event, let time = view.time else { continue }
            if last?.time != time { problems.append("\(time): not behind its fix") }
            let key = time.time.nanoseconds / 1_000_000
            guard let epoch = reported[key] else {
                problems.append("\(time): no sentence has this time")
                continue
            }
            problems += Self.differences(view, epoch).map { "\(time): \($0)" }
            if !epoch.hasGSA, last?.mode == .noFix, !view.used.isEmpty {
                problems.append("\(time): uses satellites without a fix")
            }
        }
        #expect(problems.count <= Self.incomplete[name] ?? 0, "\(problems)")
    }

    private static func differences(_ view: SatelliteView, _ epoch: Reported) -> [String] {
        var differences: [String] = []
        func compare(_ name: String, _ value: Double?, _ all: Set<Double>) {
            let isRight = value.map { all.contains($0) } ?? all.isEmpty
            if !isRight { differences.append("\(name) \(value ?? -1), reported \(all)") }
        }
        compare("HDOP", view.dilution.hdop, epoch.hdops)
        compare("VDOP", view.dilution.vdop, epoch.vdops)
        compare("PDOP", view.dilution.pdop, epoch.pdops)
        let (used, named) = (view.used.count, epoch.names.count)
        if epoch.hasGSA, used > named || (used == 0) != (named == 0) {
            differences.append("\(used) used, \(named) named")
        }
        return differences
    }

    /// By milliseconds since midnight.
    private static func collect(_ sentences: [String]) -> [Int64: Reported] {
        var all: [Int64: Reported] = [:]
        var key: Int64?
        for sentence in sentences {
            let body = sentence.split(separator: "*", omittingEmptySubsequences: false)[0]
            let fields = body.split(separator: ",", omittingEmptySubsequences: false)
            func field(_ index: Int) -> Substring { index < fields.count ? fields[index] : "" }
            let formatter = fields[0].suffix(3)
            let isProprietary = fields[0].hasPrefix("$P") && !fields[0].hasPrefix("$PQ")
            guard !isProprietary, fields[0].count == 6 else { continue }
            let clock: Substring =
                switch formatter {
                case "RMC", "GGA", "GNS", "ZDA", "GBS": field(1)
                case "GLL": field(5)
                default: ""
                }
            if let time = milliseconds(clock) { key = time }
            guard let key else { continue }
            switch formatter {
            case "GGA", "GNS": add(field(8), to: &all[key, default: Reported()].hdops)
            case "GSA":
                all[key, default: Reported()].hasGSA = true
                guard fields.count >= 18 else { continue }
                let slots = fields.count > 19 ? fields.count - 6 : 12
                for number in fields[3..<3 + slots] where Int(number) ?? 0 > 0 {
                    let system = fields.count == 19 ? field(18) : fields[0]
                    all[key, default: Reported()].names.insert("\(system) \(number)")
                }
                add(field(3 + slots), to: &all[key, default: Reported()].pdops)
                add(field(4 + slots), to: &all[key, default: Reported()].hdops)
                add(field(5 + slots), to: &all[key, default: Reported()].vdops)
            default: all[key, default: Reported()].hasGSA = all[key]?.hasGSA ?? false
            }
        }
        return all
    }

    /// Receivers without a DOP send 0 or 99.
    private static func add(_ text: Substring, to values: inout Set<Double>) {
        if let value = Double(text), value >= 0.01, value < 90 { values.insert(value) }
    }

    private static func milliseconds(_ text: Substring) -> Int64? {
        guard text.count >= 6, let number = Double(text) else { return nil }
        let all = Int64((number * 1000).rounded())
        let (hour, minute) = (all / 10_000_000, all / 100_000 % 100)
        return (hour * 60 + minute) * 60_000 + all % 100_000
    }
}
