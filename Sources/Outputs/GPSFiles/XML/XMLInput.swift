// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Reads GPX, KML and TCX. The root element determines the format.
struct XMLInput: InputReader {
    private let parser: XMLParser
    private let document: XMLDocument
    private let keepsWaypoints: Bool

    /// Creates a reader. `file` is the file's name for errors. If `keepsLines` is `true`, it stores
    /// the line number of each GPX point, and values that cannot be read are errors. If
    /// `keepsWaypoints` is `true`, it also returns the
    /// waypoints and routes of GPX and KML. Returns `nil` if out of memory.
    init?(file: String, keepsLines: Bool = false, keepsWaypoints: Bool = false) {
        self.keepsWaypoints = keepsWaypoints
        document = XMLDocument(
            gpx: GPXInput(keepsLines: keepsLines, keepsWaypoints: keepsWaypoints),
            kml: KMLInput(keepsWaypoints: keepsWaypoints))
        // The lines are for programs that correct the file, so they are told about odd values.
        guard let parser = XMLParser(file: file, handler: document, isStrict: keepsLines) else {
            return nil
        }
        self.parser = parser
        document.parser = parser
    }

    var formatName: String { document.format?.name ?? "XML" }
    var unusableContent: String? { document.format?.unusableContent }
    var warning: String? {
        let isCutOff = keepsWaypoints && document.hasTruncatedText
        let texts: [String?] = [
            isCutOff ? "has names or descriptions of more than 64 KiB, which are cut off" : nil,
            document.format?.warning,
        ]
        let warnings = texts.compactMap(\.self)
        return warnings.isEmpty ? nil : warnings.joined(separator: "; it ")
    }
    var leftOut: LeftOut { parser.leftOut }
    var mayHavePlaces: Bool { !(document.format is TCXInput) }
    /// The lines at which the GPX points begin, from 1; empty if `keepsLines` is `false`.
    var lines: [Int] { (document.format as? GPXInput)?.lines ?? [] }
    /// Whether the XML parsed so far is well-formed. It stays `true` if only the content is
    /// invalid, such as a latitude.
    var isWellFormed: Bool { parser.isWellFormed }

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
        // After an error, the events before it are still returned. They include events that were
        // kept back, such as the points of a route.
        defer {
            for event in document.events { receive(event) }
            document.events.removeAll(keepingCapacity: true)
        }
        do throws(InputError) {
            try parser.push(bytes, isLast: isLast)
        } catch {
            document.format?.finish(&document.events)
            throw error
        }
        if isLast { document.format?.finish(&document.events) }
    }
}

/// Selects the format by the root element, and passes the elements to its reader.
private final class XMLDocument: XMLHandler {
    /// The maximum length in bytes of an element's text. Longer text is truncated.
    private static let maximumTextLength = 65_536

    fileprivate(set) var format: (any XMLFormat)?
    fileprivate(set) weak var parser: XMLParser?
    var events: [InputEvent] = []
    /// The reader for GPX.
    private let gpx: GPXInput
    /// The reader for KML.
    private let kml: KMLInput
    /// The names of elements whose text is a name or a description of waypoints and routes.
    /// Truncation of such a text causes a warning.
    private static let descriptions = ["name", "desc", "cmt", "description"]
    /// Whether the text of a name or a description was truncated.
    private(set) var hasTruncatedText = false
    private var text: [UInt8] = []
    /// Whether the text of the current element was truncated.
    private var isTruncated = false
    private var streamed: String?

    init(gpx: GPXInput, kml: KMLInput) {
        self.gpx = gpx
        self.kml = kml
    }

    func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason) {
        removeText()
        streamed = nil
        guard format != nil else {
            switch name {
            case "gpx": format = gpx
            case "kml": format = kml
            case "TrainingCenterDatabase": format = TCXInput()
            default: throw XMLReason("this is not GPX, KML or TCX: it begins with <\(name)>")
            }
            return
        }
        try format?.start(name, attributes, &events)
        if format?.streamsText(of: name) == true { streamed = name }
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) throws(XMLReason) {
        guard let streamed else {
            let part = characters.prefix(max(0, Self.maximumTextLength - text.count))
            text.append(contentsOf: part)
            isTruncated = isTruncated || part.count < characters.count
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
        defer { removeText() }
        if isTruncated {
            removeLastCharacter()
            hasTruncatedText = hasTruncatedText || Self.descriptions.contains(name)
        }
        try format?.end(name, String(decoding: text, as: UTF8.self).trimmed, &events)
    }

    private func removeText() {
        text.removeAll(keepingCapacity: true)
        isTruncated = false
    }

    /// Removes the last character, because it may be incomplete.
    private func removeLastCharacter() {
        while let byte = text.popLast(), byte & 0xC0 == 0x80 {}
    }

    private func endToken(of name: String) throws(XMLReason) {
        guard !text.isEmpty else { return }
        let token = String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        do throws(XMLReason) {
            try format?.add(token, of: name, &events)
        } catch {
            // The tokens after this one are still read.
            guard parser?.leavesOut(error) == true else { throw error }
        }
    }
}
