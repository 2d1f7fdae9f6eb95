// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import GPSTestTraits
import Testing

/// `GPSBRIDGE_RECORD=1` in the environment rewrites the files (`make rules`).
@Suite(.timeLimit(.generous))
struct UdevRulesTests {
    private static let folder = PackageFile.folder + "/udev-rules/"

    @Test(arguments: [
        ("70-gpsbridge.rules", UdevRules.receivers),
        ("69-gpsbridge-converters.rules", UdevRules.converters),
    ])
    func `the rules match the lists in the code`(
        _ name: String, _ rules: String
    ) throws {
        let path = Self.folder + name
        if getenv("GPSBRIDGE_RECORD").map({ String(cString: $0) }) == "1" {
            try Self.write(rules, to: path)
        }
        #expect(try Self.text(of: path) == rules, "`make rules` writes \(name) anew")
    }

    @Test func `no USB id is listed twice`() {
        let ids = knownReceivers.map { [$0.vendor, $0.product] }
        for id in Set(ids) where ids.count(where: { $0 == id }) > 1 {
            let name = id.map { String($0, radix: 16) }.joined(separator: ":")
            Issue.record("KnownReceivers.swift has \(name) twice, and only the first line counts")
        }
    }

    @Test func `receivers that do not send NMEA have no udev rule`() throws {
        for receiver in knownReceivers where !receiver.sendsNMEA {
            #expect(!UdevRules.receivers.contains("# \(receiver.name)\n"))
        }
    }

    @Test func `a USB-to-serial converter is not treated as a receiver`() {
        for converter in genericConverters {
            #expect(
                !knownReceivers.contains {
                    $0.vendor == converter.vendor && converter.products.contains($0.product)
                })
        }
    }

    private static func text(of path: String) throws -> String {
        guard let file = fopen(path, "re") else { throw POSIXError(errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we") else { throw POSIXError(errno) }
        fputs(text, file)
        guard fclose(file) == 0 else { throw POSIXError(errno) }
    }
}
