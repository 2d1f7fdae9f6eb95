// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import Testing

/// Numbers as text, compared with Swift's formatting.
@Suite(.timeLimit(.generous)) struct TextBufferTests {
    private func text(_ append: (inout TextBuffer) -> Void) -> String {
        TextBuffer.text(append)
    }

    @Test func `an integer is padded with zeros after its sign`() {
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
        for _ in 0..<5000 {
            let decimals = Int.random(in: 0...9)
            let value =
                Double.random(in: -1...1)
                * pow(10, Double.random(in: -10...8))
            // Except for ties, all rounding modes give the same result.
            let scaled = abs(value) * pow(10, Double(decimals))
            guard abs(scaled.truncatingRemainder(dividingBy: 1) - 0.5) > 1e-2, scaled < 1e13 else {
                continue
            }
            let usual = String(format: "%.\(decimals)f", value)
            let isZero = usual.allSatisfy { "-0.".contains($0) }
            let written = text { $0.append(fixed: value, decimals: decimals) }
            #expect(written == (isZero ? usual.filter { $0 != "-" } : usual), "\(value)")
        }
    }

    @Test func `half is rounded away from zero`() {
        #expect(text { $0.append(fixed: 0.125, decimals: 2) } == "0.13")
        #expect(text { $0.append(fixed: -2.5, decimals: 0) } == "-3")
        #expect(text { $0.append(fixed: -0.4, decimals: 0, width: 3) } == "000")
        #expect(text { $0.append(fixed: 9.96, decimals: 1, width: 2) } == "10.0")
    }

    @Test func `a direction is not rounded to 360`() {
        #expect(String(direction: 359.94, decimals: 1) == "359.9")
        #expect(String(direction: 359.97, decimals: 1) == "0.0")
        #expect(String(direction: 359.5, decimals: 0) == "0")
        #expect(String(direction: 359.4, decimals: 0) == "359")
        #expect(String(direction: 360, decimals: 2) == "0.00")
    }

    @Test(arguments: [1e18, -1e18, .infinity, .nan])
    func `numbers of more than eighteen digits are omitted`(value: Double) {
        #expect(text { $0.append(fixed: value, decimals: 0) } == "")
    }

    @Test func `text grows to any length`() {
        var buffer = TextBuffer()
        for index in 0..<10_000 {
            buffer.append("literal ")
            buffer.append(integer: index)
            buffer.append(character: "\n")
        }
        let expected = (0..<10_000).map { "literal \($0)\n" }.joined()
        #expect(String(decoding: buffer.array, as: UTF8.self) == expected)
    }

    @Test func `JSON strings are ASCII`() {
        #expect(String(json: "a\"b\\c\n\u{7F}é😀") == #""a\"b\\c\u000a\u007f\u00e9\ud83d\ude00""#)
    }

    @Test func `reserved characters of XML are escaped, and invalid ones are replaced`() {
        #expect(String(xml: "<a> & \"b\"\u{1}é") == "&lt;a&gt; &amp; &quot;b&quot;?é")
        #expect(String(xml: "a\tb\r\nc") == "a&#9;b&#13;&#10;c")
    }

    @Test func `trailing zeros are omitted up to a maximum number of decimals`() {
        #expect(String(1.50, atMostDecimals: 2) == "1.5")
        #expect(String(100, atMostDecimals: 2) == "100")
        #expect(String(-0.001, atMostDecimals: 2) == "0")
    }
}

@Suite(.timeLimit(.generous))
struct PluralTests {
    @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (2, "2 bytes")])
    func `only a count of 1 has the singular`(_ count: Int, _ expected: String) {
        #expect(Plural.text(count, "byte") == expected)
    }

    @Test func `an irregular plural and its verb are given`() {
        #expect(Plural.text(1, "fix was", "fixes were") == "1 fix was")
        #expect(Plural.text(3, "fix was", "fixes were") == "3 fixes were")
    }
}
