// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// Numbers in JSON, compared with slow and obvious formatting.
@Suite(.timeLimit(.generous)) struct GPSDNumbersTests {
    private let seed = UInt64.random(in: 0 ... .max)

    /// The text of a member of a `SKY` or `TPV` object.
    private func member(_ name: String, of object: String) -> String? {
        guard let start = object.range(of: "\"\(name)\":")?.upperBound else { return nil }
        return String(object[start...].prefix { $0 != "," && $0 != "}" })
    }

    private func text(_ write: (inout GPSDReports) -> Void) -> String {
        var reports = GPSDReports(device: "x")
        write(&reports)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    /// A number with two decimals, such as a DOP.
    private func hundredths(_ value: Double) -> String? {
        var dilution = DilutionOfPrecision()
        dilution.hdop = value
        return member("hdop", of: text { $0.report(SatelliteView(dilution: dilution)) })
    }

    /// A number with nine decimals, such as a latitude.
    private func billionths(_ value: Double) -> String? {
        var fix = Fix()
        fix.mode = .twoD
        fix.coordinate = Coordinate(latitude: value, longitude: 0)
        return member("lat", of: text { $0.report(fix) })
    }

    /// The digits of a number with a decimal point inserted.
    private func spelled(_ count: Int, decimals: Int) -> String {
        var digits = String(count.magnitude)
        while digits.count <= decimals { digits = "0" + digits }
        return (count < 0 ? "-" : "") + digits.dropLast(decimals) + "." + digits.suffix(decimals)
    }

    @Test func `numbers with two decimals are written exactly`() {
        var random = SeededGenerator(seed: seed)
        let edges = [0, 1, 9, 10, 99, 100, 101, 999, 1000, 9999, 10_000, 99_999_999, 100_000_000]
        let counts = (0..<3000).map { _ in
            Int.random(in: -99_999_999_999...99_999_999_999, using: &random)
                >> Int.random(in: 0..<37, using: &random)
        }
        for count in edges + edges.map(-) + counts {
            let written = hundredths(Double(count) / 100)
            #expect(written == spelled(count, decimals: 2), "seed \(seed)")
        }
    }

    @Test func `numbers with nine decimals are written exactly`() {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let count = Int.random(in: -90_000_000_000...90_000_000_000, using: &random)
            #expect(
                billionths(Double(count) / 1e9) == spelled(count, decimals: 9), "seed \(seed)")
        }
    }

    @Test func `any number is rounded to the nearest`() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let value =
                Double.random(in: -1...1, using: &random)
                * pow(10, Double.random(in: -6...8.9, using: &random))
            let written = try #require(hundredths(value))
            let read = try #require(Double(written))
            // Half a hundredth, and the precision of a `Double`.
            #expect(abs(read - value) <= 0.005 + abs(value) * 1e-15, "\(value), seed \(seed)")
            #expect(written.split(separator: ".").last?.count == 2)
            // Except for ties, all rounding modes give the same result.
            let rest = abs(value * 100).truncatingRemainder(dividingBy: 1)
            guard abs(rest - 0.5) > 1e-3 else { continue }
            let usual = String(format: "%.2f", value)
            #expect(written == (usual == "-0.00" ? "0.00" : usual), "\(value), seed \(seed)")
        }
    }

    @Test func `half is rounded away from zero, and zero has no sign`() {
        #expect(hundredths(0.125) == "0.13")
        #expect(hundredths(-0.125) == "-0.13")
        #expect(hundredths(2.375) == "2.38")
        #expect(hundredths(0.995) == "1.00" || hundredths(0.995) == "0.99")
        #expect(hundredths(-0.0) == "0.00")
        #expect(hundredths(-0.001) == "0.00")
        #expect(hundredths(99_999.995_1) == "100000.00")
    }

    @Test(arguments: [1e9, -1e9, 1e300, .infinity, -.infinity, .nan])
    func `numbers out of range are omitted`(value: Double) {
        #expect(hundredths(value) == nil)
    }

    @Test func `the largest number in range is written exactly`() {
        #expect(hundredths(999_999_999.99) == "999999999.99")
        #expect(billionths(999_999_999.5) == "999999999.500000000")
    }

    @Test func `integers of any size are written with all digits`() {
        for number in Array(1...2000) + [9_999, 10_000, 99_999_999, 100_000_000, .max] {
            var fix = Fix()
            fix.mode = .twoD
            fix.coordinate = Coordinate(latitude: 0, longitude: 0)
            fix.correctionStation = number
            #expect(member("dgpsSta", of: text { $0.report(fix) }) == "\(number)")
        }
    }
}
