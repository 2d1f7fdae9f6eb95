// SPDX-License-Identifier: MIT
import GPSServer
import GPSTestTraits
import Testing

/// Arguments of requests are read as tolerantly as gpsd reads them, and within bounds.
@Suite(.timeLimit(.generous))
struct JSONReaderTests {
    @Test func `reads every kind of value`() throws {
        let text =
            #" { "a" : "x\"\u00e9\ud83d\ude00", "b":[1,-2.5e1,true,null], "c":{"d":word}, } "#
        #expect(
            try JSONReader.object(Array(text.utf8)) == [
                "a": .string("x\"é😀"),
                "b": .array([.number(1), .number(-25), .bool(true), .null]),
                "c": .object(["d": .word("word")]),
            ])
    }

    @Test(arguments: [
        "", "{", "[1]", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1}x", "{a:1}", "{\"a\":\"x}",
        "{\"a\":\"\\q\"}", "{\"a\":\"\\u12\"}", "{\"a\":1 2}", "{\"a\":\"\\",
    ])
    func `refuses what is no object`(_ text: String) {
        #expect(throws: JSONReader.SyntaxError.self) {
            try JSONReader.object(Array(text.utf8))
        }
    }

    @Test func `refuses deep nesting instead of following it`() {
        let text = "{\"a\":" + String(repeating: "[", count: 100_000)
        let error = #expect(throws: JSONReader.SyntaxError.self) {
            try JSONReader.object(Array(text.utf8))
        }
        #expect(error?.message == "nested too deeply")
    }

    @Test func `half of a surrogate pair becomes a replacement character`() throws {
        let text = #"{"a":"\ud83dx","b":"\ude00","c":"\ud83d\u0041"}"#
        let members = try JSONReader.object(Array(text.utf8))
        #expect(members["a"] == .string("\u{FFFD}x"))
        #expect(members["b"] == .string("\u{FFFD}"))
    }
}
