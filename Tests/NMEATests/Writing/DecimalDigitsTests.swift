// SPDX-License-Identifier: MIT
import Foundation
import NMEA
import Testing

/// Numbers as text, against Swift's own way to write them.
@Suite struct DecimalDigitsTests {
    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `an integer is padded with zeros behind its sign`() {
        for value in [0, 1, 9, 10, 99, 12345, -1, -10, Int.max, Int.min] {
            for width in 0...4 {
                let digits = String(value.magnitude)
                let zeros = String(repeating: "0", count: max(0, width - digits.count))
                let written = text { $0.append(integer: value, width: width) }
                #expect(written == (value < 0 ? "-" : "") + zeros + digits)
            }
        }
    }

    @Test func `a fixed number is rounded to the nearest`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<5000 {
            let decimals = Int.random(in: 0...9, using: &random)
            let value =
                Double.random(in: -1...1, using: &random)
                * pow(10, Double.random(in: -10...8, using: &random))
            // Ties apart every way of rounding is the same.
            let scaled = abs(value) * pow(10, Double(decimals))
            guard abs(scaled.truncatingRemainder(dividingBy: 1) - 0.5) > 1e-2, scaled < 1e13 else {
                continue
            }
            let usual = String(format: "%.\(decimals)f", value)
            let isZero = usual.allSatisfy { "-0.".contains($0) }
            let written = text { $0.append(fixed: value, decimals: decimals) }
            #expect(written == (isZero ? usual.filter { $0 != "-" } : usual), "seed \(seed)")
        }
    }

    @Test func `half is rounded away from zero`() {
        #expect(text { $0.append(fixed: 0.125, decimals: 2) } == "0.13")
        #expect(text { $0.append(fixed: -2.5, decimals: 0) } == "-3")
        #expect(text { $0.append(fixed: -0.4, decimals: 0, width: 3) } == "000")
        #expect(text { $0.append(fixed: 9.96, decimals: 1, width: 2) } == "10.0")
    }

    @Test(arguments: [1e18, -1e18, .infinity, .nan])
    func `what eighteen digits do not hold is left out`(value: Double) {
        #expect(text { $0.append(fixed: value, decimals: 0) } == "")
    }
}
