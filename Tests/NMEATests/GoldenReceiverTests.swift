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
