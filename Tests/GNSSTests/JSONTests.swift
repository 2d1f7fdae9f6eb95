// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// The scanning of texts in every chunking, and of requests as tolerantly as by gpsd, within limits.
@Suite(.timeLimit(.generous))
struct JSONScannerTests {
    private func members(_ text: String) throws(JSONError) -> [String: JSONScalar] {
        var members: [String: JSONScalar] = [:]
        try JSONScanner.read(Array(text.utf8), into: &members)
        return members
    }

    /// The events, one per line.
    private func events(_ text: String, pieces: Int) throws(JSONError) -> [String] {
        var events: [String] = []
        var scanner = JSONScanner()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try scanner.push(rest.prefix(pieces)) { events.append("\($0) \($1)") }
            rest = rest.dropFirst(pieces)
        }
        try scanner.finish { events.append("\($0) \($1)") }
        return events
    }

    @Test func `reads every kind of scalar`() throws {
        let text =
            #" { "a" : "x\"\u00e9\ud83d\ude00", "b":-2.5e1, "c":{"d":1},"d":true, "e":[null], "f":word, "g":null,} "#
        #expect(
            try members(text) == [
                "a": .string("x\"é😀"), "b": .number(-25), "d": .bool(true), "f": .word("word"),
                "g": .null,
            ])
    }

    @Test(arguments: [
        "", "{", "[1]", "[]", "1", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1}x", "{a:1}",
        "{\"a\":\"x}", "{\"a\":1}{\"a\":2}",
        "{\"a\":\"\\q\"}", "{\"a\":\"\\u12\"}", "{\"a\":1 2}", "{\"a\":\"\\",
    ])
    func `input that is not an object is an error`(_ text: String) {
        #expect(throws: JSONError.self) { try members(text) }
    }

    @Test func `deep nesting is an error`() {
        let text = "{\"a\":" + String(repeating: "[", count: 100_000)
        let error = #expect(throws: JSONError.self) { try members(text) }
        #expect(error?.summary == "nested too deeply")
    }

    @Test func `an unpaired surrogate becomes a replacement character`() throws {
        let members = try members(#"{"a":"\ud83dx","b":"\ude00","c":"\ud83d\u0041"}"#)
        #expect(members["a"] == .string("\u{FFFD}x"))
        #expect(members["b"] == .string("\u{FFFD}"))
        #expect(members["c"] == .string("\u{FFFD}A"))
    }

    @Test(arguments: [
        (#"{"a":"1","b":[{"a":"2"},"]"],"c":-1.5e3,"d":null,"e":"5"}"#, ["a": "1", "e": "5"]),
        (#" { "a" : "\b\f\n\r\t\/" } "#, ["a": "\u{8}\u{C}\n\r\t/"]),
        (#"{"a":"1","b":"\x"}"#, ["a": "1"]), (#"{"a":"1","b":"\u12"}"#, ["a": "1"]),
        (#"{"a":"1","b":"2"#, ["a": "1"]), (#"{"a":"1","b":"2\"#, ["a": "1"]),
        (#"{"a":"1","b":"\u00"#, ["a": "1"]), (#"{"a":"\ud800"}"#, ["a": "\u{FFFD}"]),
        (#"{"a":"1","a":[]}"#, [:]),
        ("{", [:]), ("{}", [:]), ("", [:]), (#"{"a"}"#, [:]), (#"{"a":[[[{"#, [:]), ("{]", [:]),
    ])
    func `members before an error are read`(
        _ object: String, _ texts: [String: String]
    ) {
        var members: [String: JSONScalar] = [:]
        try? JSONScanner.read(Array(object.utf8), into: &members)
        #expect(members.compactMapValues(\.string) == texts)
    }

    @Test(arguments: 1...7)
    func `scanning is the same for every chunking`(_ size: Int) throws {
        let text =
            #"{"a":[1,-0.25,{"bc":"x\u00e9\\\ud83d\ude00y"},[]],"d":true}"#
            + "\u{1E} 12.5e-1 \n\"z\""
        #expect(try events(text, pieces: size) == events(text, pieces: 1000))
        #expect(try events(text, pieces: size).count == 14)
    }

    @Test(arguments: [
        "0", "-0", "0.1", "-48.203141592", "123456789012345", "1234567890123456",
        "0.000000000000001", "9007199254740993", "1e3", "-1.5E-7", "2.2250738585072014e-308", "5.",
        "100000000000000.5",
    ])
    func `a number is the nearest one`(_ text: String) throws {
        let number = try members("{\"a\":\(text)}")["a"]?.number
        #expect(number?.bitPattern == Double(text)?.bitPattern)
    }

    @Test func `an error has the line number`() {
        var scanner = JSONScanner()
        let error = JSONError(
            "the JSON is not valid: '}' is not expected here", summary: "value expected")
        #expect(throws: error) {
            try scanner.push(Array("{\"a\":\n1,\n\"b\":}".utf8)[...]) { _, _ in }
        }
        #expect(scanner.line == 3)
    }
}

@Suite(.timeLimit(.generous)) struct JSONObjectTests {
    @Test func `an object without members is two braces`() {
        #expect(JSONObject().description == "{}")
    }

    @Test func `members are in the order of addition`() {
        var satellite = JSONObject()
        satellite.add("svid", 7)
        satellite.add("used", true)
        var object = JSONObject(class: "SKY")
        object.add("device", "a \"b\"")
        object.add("satellites", [satellite, JSONObject()])
        object.add("links", ["x", "ä"])
        object.add("empty", objects: [])
        let expected =
            #"{"class":"SKY","device":"a \"b\"","satellites":[{"svid":7,"used":true},{}],"#
            + #""links":["x","\u00e4"],"empty":[]}"#
        #expect(object.description == expected)
    }

    @Test func `members without a value are omitted`() {
        var object = JSONObject()
        object.add("text", String?.none)
        object.add("count", Int?.none)
        object.add("number", nil, decimals: 2)
        for value in [Double.nan, .infinity, -1e18] { object.add("x", value, decimals: 0) }
        #expect(object.description == "{}")
    }

    @Test(arguments: [
        (1.125, 2, "1.13"), (-0.001, 2, "0.00"), (2.5, 0, "3"), (-12.3456, 3, "-12.346"),
        (123_456_789_012.5, 3, "123456789012.500"),
    ])
    func `a number has the given number of decimals`(value: Double, decimals: Int, text: String) {
        var object = JSONObject()
        object.add("x", value, decimals: decimals)
        #expect(object.description == "{\"x\":\(text)}")
    }
}
