// SPDX-License-Identifier: MIT
import GNSS

/// A format of XML, whose elements a parser hands over in their order; names are without their prefixes.
package protocol XMLFormat {
    /// The format's name in messages: `GPX`.
    var name: String { get }

    /// The content of a file without positions that are read. Default: `nil`, not known.
    var lack: String? { get }

    mutating func start(
        _ name: String, _ attributes: XMLAttributes, _ events: inout [InputEvent]
    ) throws(XMLReason)

    /// The element ends; `text` is its own, without blanks around it, up to 64 KiB.
    mutating func end(
        _ name: String, _ text: String, _ events: inout [InputEvent]
    ) throws(XMLReason)

    /// The next part of an element that `streamsText` named, ended by white space.
    mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason)

    /// Whether the text of an element is unbounded: it is handed over in tokens.
    func streamsText(of name: String) -> Bool

    mutating func finish(_ events: inout [InputEvent])
}

/// The reason why an element is rejected.
package struct XMLReason: Error {
    package let text: String

    /// Creates a reason, in words.
    package init(_ text: String) { self.text = text }
}

/// The attributes of an element: names and values alternate in the list.
package struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    /// The line of the element, from 1.
    package let line: Int

    /// Wraps a parser's list, which ends with a null pointer and is valid while the element begins.
    package init(list: UnsafeMutablePointer<UnsafePointer<CChar>?>?, line: Int) {
        self.list = list
        self.line = line
    }

    /// The value of an attribute, without blanks around it.
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
    /// The longest text of a number.
    private static var longestNumber: Int { 256 }

    package var lack: String? { nil }

    package func streamsText(of name: String) -> Bool { false }

    package mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {}

    package mutating func finish(_ events: inout [InputEvent]) {}

    /// A number, or the reason why the text is none.
    func number(_ text: String, _ noun: String) throws(XMLReason) -> Double {
        guard text.utf8.count <= Self.longestNumber, let number = Double(text), number.isFinite
        else { throw XMLReason("the \(noun) is not a number: \"\(text.prefix(40))\"") }
        return number
    }

    /// An instant, or the reason why the text is none.
    func time(_ text: String) throws(XMLReason) -> UTCTime {
        guard let time = UTCTime(written: text) else {
            throw XMLReason("the time is not as 2026-03-23T12:35:19Z: \"\(text.prefix(40))\"")
        }
        return time
    }
}
