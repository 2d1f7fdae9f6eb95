// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Reads GPX and KML; the first element decides which.
struct XMLInput: InputReader {
    private let parser: XMLParser
    private let document: XMLDocument

    /// Creates a reader; `nil` without memory.
    init?(file: String) {
        document = XMLDocument()
        guard let parser = XMLParser(file: file, handler: document) else { return nil }
        self.parser = parser
    }

    var formatName: String { document.format?.name ?? "XML" }
    var lack: String? { document.format?.lack }

    mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        guard !bytes.isEmpty else { return }
        try parse(bytes, isLast: false, receive)
    }

    mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        try parse([], isLast: true, receive)
    }

    private func parse(
        _ bytes: ArraySlice<UInt8>, isLast: Bool, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        // Also where it throws: everything before the error counts.
        defer {
            for event in document.events { receive(event) }
            document.events.removeAll(keepingCapacity: true)
        }
        try parser.push(bytes, isLast: isLast)
        if isLast { document.format?.finish(&document.events) }
    }
}

/// The elements of GPX or KML, as a table by the root element's name.
protocol XMLFormat {
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

/// Hands a document's elements to the format of its root.
final class XMLDocument: XMLHandler {
    /// A longer text is of no number, time or name.
    private static let longestText = 65_536

    fileprivate(set) var format: (any XMLFormat)?
    fileprivate var events: [InputEvent] = []
    private var text: [UInt8] = []
    private var streamed: String?

    func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason) {
        text.removeAll(keepingCapacity: true)
        streamed = nil
        guard format != nil else {
            switch name {
            case "gpx": format = GPXInput()
            case "kml": format = KMLInput()
            default: throw XMLReason("this is neither GPX nor KML: it begins with <\(name)>")
            }
            return
        }
        try format?.start(name, attributes, &events)
        if format?.streamsText(of: name) == true { streamed = name }
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) throws(XMLReason) {
        guard let streamed else {
            text.append(contentsOf: characters.prefix(max(0, Self.longestText - text.count)))
            return
        }
        for byte in characters {
            if byte > 0x20 {
                guard text.count < 256 else { throw XMLReason("a position is too long") }
                text.append(byte)
            } else {
                try endToken(of: streamed)
            }
        }
    }

    func end(_ name: String) throws(XMLReason) {
        if let streamed { try endToken(of: streamed) }
        streamed = nil
        try format?.end(name, String(decoding: text, as: UTF8.self).trimmed, &events)
        text.removeAll(keepingCapacity: true)
    }

    private func endToken(of name: String) throws(XMLReason) {
        guard !text.isEmpty else { return }
        let token = String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        try format?.add(token, of: name, &events)
    }
}

extension XMLFormat {
    var lack: String? { nil }

    func streamsText(of name: String) -> Bool { false }

    mutating func add(
        _ token: String, of name: String, _ events: inout [InputEvent]
    ) throws(XMLReason) {}

    mutating func finish(_ events: inout [InputEvent]) {}

    /// A number, or the reason why the text is none.
    func number(_ text: String, _ noun: String) throws(XMLReason) -> Double {
        guard let number = Double(text), number.isFinite else {
            throw XMLReason("the \(noun) is no number: \"\(text.prefix(40))\"")
        }
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
