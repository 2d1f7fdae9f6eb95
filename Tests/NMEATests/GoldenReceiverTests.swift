// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Synthetic recordings, one per behaviour, and the fixes that they must give.
///
/// `GPSBRIDGE_RECORD=1` in the environment rewrites the expected fixes; review their diff.
@Suite(.timeLimit(.generous)) struct GoldenReceiverTests {
    private static let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/Receivers")

    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test func `the folder contains synthetic recordings`() {
        #expect(Self.names.count >= 14)
    }

    @Test(arguments: names)
    func `a synthetic recording gives the reviewed fixes`(name: String) throws {
        let file = [UInt8](try Data(contentsOf: Self.folder.appending(path: name + ".nmea")))
        for key in ["Name", "Description", "Date", "Location", "Submitter"] {
            #expect(
                file.starts(with: "#".utf8) && contains(file, "# \(key): "), "\(key) is missing")
        }
        let decoded = expectEveryChunking(withoutHeader(file))
        let found = GoldenReport(decoded).lines.joined(separator: "\n") + "\n"

        let golden = Self.folder.appending(path: name + ".fixes.jsonl")
        if ProcessInfo.processInfo.environment["GPSBRIDGE_RECORD"] == "1" {
            try Data(found.utf8).write(to: golden)
        }
        let expected = try String(contentsOf: golden, encoding: .utf8)
        let pairs = zip(expected.split(separator: "\n"), found.split(separator: "\n"))
        for (line, (wanted, got)) in pairs.enumerated() where wanted != got {
            Issue.record("line \(line + 1) is \(got), was \(wanted)")
            break
        }
        #expect(expected.utf8.count == found.utf8.count)
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    private func withoutHeader(_ file: [UInt8]) -> [UInt8] {
        var rest = file[...]
        while rest.first == UInt8(ascii: "#") {
            rest = rest.drop { $0 != 0x0A }.dropFirst()
        }
        return Array(rest)
    }
}

/// A transcript as lines of JSON: each fix with the number of the sentence that completed it,
/// and the counters at the end.
struct GoldenReport {
    private(set) var lines: [String] = []

    init(_ decoded: Transcript) {
        var sentences = 0
        var views = decoded.views.makeIterator()
        for event in decoded.events {
            switch event {
            case .sentence: sentences += 1
            case .fix(let fix): lines.append(Self.line(fix, views.next(), after: sentences))
            case .rejected, .tagBlock, .satellites, .ubx: break
            }
        }
        let counters = decoded.statistics.counters.filter { $0.count != 0 }
        lines.append(
            "{" + counters.map { "\"\($0.name)\":\($0.count)" }.joined(separator: ",") + "}")
    }

    private static func line(_ fix: Fix, _ view: SatelliteView?, after sentences: Int) -> String {
        var members: [String] = []
        func add(_ name: String, _ value: (some Any)?) {
            if let value { members.append("\"\(name)\":\(value)") }
        }
        func quoted(_ text: String?) -> String? { text.map { "\"\($0)\"" } }
        add("after", sentences)
        add("time", quoted(fix.time?.description))
        if fix.time == nil { add("seconds", fix.timeOfDay.map { Double($0.nanoseconds) / 1e9 }) }
        add("mode", fix.mode.rawValue)
        add("quality", quoted("\(fix.quality)"))
        add("lat", fix.coordinate?.latitude)
        add("lon", fix.coordinate?.longitude)
        add("alt", fix.altitude)
        add("hae", fix.ellipsoidalAltitude)
        add("speed", fix.speed)
        add("course", fix.course)
        add("magnetic", fix.magneticCourse)
        add("variation", fix.magneticVariation)
        add("pdop", fix.dilution.pdop)
        add("hdop", fix.dilution.hdop)
        add("vdop", fix.dilution.vdop)
        add("accuracy", fix.accuracy.horizontal)
        add("verticalAccuracy", fix.accuracy.vertical)
        add("source", quoted(fix.accuracy.source.map { "\($0)" }))
        add("used", fix.satellitesUsed)
        add("inView", fix.satellitesInView)
        add("age", fix.correctionAge)
        add("station", fix.correctionStation)
        let signals = view?.signals.map { "\($0.id)\($0.signal == 0 ? "" : "/\($0.signal)")" }
        add("signals", quoted(signals.flatMap { $0.isEmpty ? nil : $0.joined(separator: " ") }))
        return "{" + members.joined(separator: ",") + "}"
    }
}
