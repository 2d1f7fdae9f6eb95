// SPDX-License-Identifier: MIT
import GNSS

/// Reads fixes from the elements of an XML format, which a parser passes on in order. Names of
/// elements do not include prefixes.
package protocol XMLFormat: InputContent {
    mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason)

    /// Handles the end of an element. `text` is its trimmed text, up to 64 KiB.
    mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason)

    /// Handles the next token in the text of an element for which `streamsText(of:)` returns
    /// `true`. Tokens are separated by white space.
    mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason)

    /// Returns whether the text of an element may be very long, so that it is passed to `add` token
    /// by token.
    func streamsText(of name: String) -> Bool

    mutating func finish(_ events: inout [InputEvent])
}

/// The reason why an element is rejected.
package struct XMLReason: Error {
    package let text: String
    /// What is left out, so that the rest of the file is read; `nil` if the error ends the file.
    package let leftOut: LeftOut.Reason?
    /// The text of the part that is left out.
    package let value: String
    /// Whether the value is left out even where others end the file, because other programs write
    /// such values.
    package private(set) var isUsual = false

    /// Creates a reason that ends the file.
    package init(_ text: String) { (self.text, leftOut, value) = (text, nil, "") }

    /// The same reason for a value that other programs write.
    package var usual: XMLReason {
        var reason = self
        reason.isUsual = true
        return reason
    }

    /// Creates a reason for which only an element is left out.
    package init(_ text: String, leavingOut leftOut: LeftOut.Reason, _ value: String) {
        (self.text, self.leftOut, self.value) = (text, leftOut, value)
    }
}

/// The attributes of an element.
package struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    /// The line number of the element, from 1.
    package let line: Int

    /// Wraps a parser's list, in which names and values alternate. It ends with a null pointer and
    /// is valid only during the callback.
    package init(list: UnsafeMutablePointer<UnsafePointer<CChar>?>?, line: Int) {
        self.list = list
        self.line = line
    }

    /// The trimmed value of an attribute; `nil` if it is missing.
    package subscript(key: String) -> String? {
        guard var next = list else { return nil }
        while let name = next[0], let value = next[1] {
            if String(cString: name) == key { return String(cString: value).trimmed }
            next += 2
        }
        return nil
    }
}

extension XMLFormat {
    /// The maximum length of a number in bytes.
    private static var maximumNumberLength: Int { 256 }

    package func streamsText(of name: String) -> Bool { false }

    package mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {}

    package mutating func finish(_ events: inout [InputEvent]) {}

    /// Parses a number. Returns `nil` for an empty text, `NaN` and infinity, which some programs
    /// write for an unknown value. Throws the reason for any other text; `noun` is the name of the
    /// number in the reason.
    func number(_ text: String, _ noun: String) throws(XMLReason) -> Double? {
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.maximumNumberLength, let number = Double(decimal: text)
        else {
            throw XMLReason(
                "the \(noun) is not a number: \"\(text.prefix(40))\"",
                leavingOut: .number(noun), text)
        }
        return number.isFinite ? number : nil
    }

    /// Parses a time. Returns `nil` for an empty text. Throws the reason for any other text.
    func time(_ text: String) throws(XMLReason) -> UTCTime? {
        guard !text.isEmpty else { return nil }
        if let time = UTCTime(written: text) { return time }
        guard !UTCTime.isImpossible(written: text) else {
            throw XMLReason(
                "not a time: \"\(text.prefix(40))\"", leavingOut: .impossibleTime, text
            ).usual
        }
        throw XMLReason(
            "not a time: \"\(text.prefix(40))\" (expected a time such as 2026-03-23T12:35:19Z)",
            leavingOut: .time, text)
    }
}
