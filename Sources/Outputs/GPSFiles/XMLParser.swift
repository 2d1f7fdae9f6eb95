// SPDX-License-Identifier: MIT
import CGPSExpat
import GNSS
import GPSFormats

/// Receives the elements and the text that `XMLParser` parses. A thrown `XMLReason` ends the
/// parsing, unless it states what is left out.
protocol XMLHandler: AnyObject {
    /// Called at the start of an element. `name` does not include the namespace prefix.
    func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason)
    /// Called with characters of the innermost open element, in chunks of any size.
    func add(_ characters: UnsafeBufferPointer<UInt8>) throws(XMLReason)
    /// Called at the end of the innermost open element.
    func end(_ name: String) throws(XMLReason)
}

/// A streaming XML parser that uses expat. It rejects entity declarations, more than 64 nested
/// elements, and tags and comments of more than 4 MiB.
final class XMLParser {
    private static let maximumDepth = 64
    /// The maximum length of a tag or a comment in bytes. Expat stores an incomplete tag or
    /// comment, and scans it again with each chunk.
    private static let maximumTagLength = 1 << 22
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The maximum length of the XML declaration in bytes.
    private static let maximumDeclarationLength = 1024

    private let file: String
    private let parser: XML_Parser
    private let handler: any XMLHandler
    /// Whether parsing ends where otherwise something would be left out.
    private let isStrict: Bool
    /// What the handler could not read.
    private(set) var leftOut = LeftOut()
    private var failure: InputError?
    private var depth = 0
    /// The number of bytes passed to expat.
    private var length = 0
    /// The number of line ends at the start of the file, which are not passed to expat.
    private var blankLines = 0
    /// The number of line ends passed to expat.
    private var lineEndCount = 0
    /// Whether a character has more than one byte, so that a zero is not one by itself.
    private var hasWideCharacters = false
    private var hasBegun = false
    /// The bytes from the start of the file until the end of the XML declaration is found; then
    /// `nil`.
    private var declaration: [UInt8]? = []

    /// Creates a parser. `file` is the file's name for errors. If `isStrict` is `true`, values that
    /// would be left out are errors. Returns `nil` if out of memory.
    init?(file: String, handler: any XMLHandler, isStrict: Bool = false) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        self.file = file
        self.parser = parser
        self.handler = handler
        self.isStrict = isStrict
        // Safety: the parser calls back only within `push`, while this object lives, and is freed
        // with it.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { XMLParser.of($0)?.start($1, $2) }, { XMLParser.of($0)?.end($1) })
        XML_SetCharacterDataHandler(parser) { XMLParser.of($0)?.add($1, $2) }
        XML_SetUnknownEncodingHandler(
            parser,
            { _, name, encoding in
                guard let name, let encoding else { return 0 }
                return XMLEncoding.describe(String(cString: name), &encoding.pointee) ? 1 : 0
            }, nil)
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
            XMLParser.of(data)?.fail("the XML declares an entity, which is not supported")
        }
    }

    deinit { XML_ParserFree(parser) }

    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLParser? {
        // Safety: `init` passes the parser itself, which `push` keeps alive.
        data.map { Unmanaged<XMLParser>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Parses the next bytes and calls the handler. Throws an `InputError` with the line if the XML
    /// is not well-formed or the handler throws.
    func push(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(InputError) {
        var rest = hasBegun ? bytes : withoutBlanks(bytes)
        guard isLast || !rest.isEmpty else { return }
        if let held = declaration {
            var start = held + rest
            let isWhole = start.contains(UInt8(ascii: ">"))
            guard isLast || isWhole || start.count > Self.maximumDeclarationLength else {
                return declaration = start
            }
            declaration = nil
            if start.starts(with: Self.mark) {
                // White space after a byte order mark is removed with the mark.
                let text = withoutBlanks(start.dropFirst(Self.mark.count))
                if text.count < start.count - Self.mark.count { start = Array(text) }
            }
            if XMLEncoding.isUTF8(declaredBy: start) { XML_SetEncoding(parser, "UTF-8") }
            rest = start[...]
            // In UTF-16, one of the first two bytes is 0, or there is a byte order mark.
            hasWideCharacters = start.prefix(2).contains { $0 == 0 || $0 >= 0xFE }
        }
        if !isStrict, !hasWideCharacters { removeControls(from: &rest) }
        repeat {
            // Expat's lengths have the type `int`.
            let part = rest.prefix(Self.maximumTagLength)
            rest = rest.dropFirst(part.count)
            length += part.count
            let status = part.withUnsafeBytes { buffer in
                XML_Parse(
                    parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                    CInt(buffer.count), isLast && rest.isEmpty ? 1 : 0)
            }
            if let failure { throw failure }
            guard status == XML_STATUS_OK else {
                let reason = XML_ErrorString(XML_GetErrorCode(parser)).map {
                    ": \(String(cString: $0))"
                }
                throw InputError(
                    file, line: line, "the XML is not well-formed\(reason ?? "")")
            }
            // The start of the incomplete tag or comment; negative if it is not known.
            let start = gpsbridge_xml_byte_index(parser)
            guard start < 0 || length - start <= Self.maximumTagLength else {
                throw InputError(file, line: line, "a tag is too long")
            }
        } while !rest.isEmpty
    }

    /// Removes white space at the start of the file. XML forbids it before a declaration, but some
    /// programs write it.
    private func withoutBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        blankLines += bytes[..<rest.startIndex].count { $0 == 0x0A }
        hasBegun = !rest.isEmpty
        return rest
    }

    /// Removes the control characters that XML does not allow, and counts them. Some programs copy
    /// them from a device's names, and a power failure leaves zeros.
    private func removeControls(from bytes: inout ArraySlice<UInt8>) {
        var hasControls = false
        var lineEnds = 0
        for byte in bytes where byte < 0x20 {
            switch byte {
            case 0x09, 0x0D: break
            case 0x0A: lineEnds += 1
            default:
                hasControls = true
                leftOut.add(Self.control, line: 1 + lineEndCount + lineEnds + blankLines)
            }
        }
        lineEndCount += lineEnds
        guard hasControls else { return }
        bytes = bytes.filter { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }[...]
    }

    private static let control = LeftOut.Reason("control character", "that XML does not allow")

    private var line: Int { Int(clamping: gpsbridge_xml_line(parser)) + blankLines }

    private func fail(_ reason: String) {
        guard failure == nil else { return }
        failure = InputError(file, line: line, reason)
        XML_StopParser(parser, 0)
    }

    private func handle(_ body: () throws(XMLReason) -> Void) {
        guard failure == nil else { return }
        do throws(XMLReason) {
            try body()
        } catch {
            if !leavesOut(error) { fail(error.text) }
        }
    }

    /// Counts what the handler could not read. Returns `false` if this ends the file.
    func leavesOut(_ error: XMLReason) -> Bool {
        guard let reason = error.leftOut, !isStrict || error.isUsual else { return false }
        leftOut.add(reason, line: line, error.value)
        return true
    }

    private func start(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        depth += 1
        guard depth <= Self.maximumDepth else { return fail("the XML is nested too deeply") }
        handle { () throws(XMLReason) in
            try handler.start(Self.localName(name), XMLAttributes(list: attributes, line: line))
        }
    }

    private func end(_ name: UnsafePointer<CChar>?) {
        depth -= 1
        handle { () throws(XMLReason) in try handler.end(Self.localName(name)) }
    }

    private func add(_ characters: UnsafePointer<CChar>?, _ count: CInt) {
        guard let characters, count > 0 else { return }
        characters.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
            handle { () throws(XMLReason) in
                try handler.add(UnsafeBufferPointer(start: bytes, count: Int(count)))
            }
        }
    }

    /// Returns an element's name without its namespace prefix.
    private static func localName(_ name: UnsafePointer<CChar>?) -> String {
        guard let name else { return "" }
        let whole = String(cString: name)
        return whole.lastIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? whole
    }
}

/// Encodings with one byte per character that expat does not know, but that older programs write.
/// Also recognises UTF-8 files that declare a wrong encoding.
private enum XMLEncoding {
    /// The characters 0x80 to 0x9F of Windows-1252. Bytes that it does not define are mapped to
    /// control characters.
    private static let windows1252: [CInt] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
        0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// The characters in which ISO 8859-15 differs from ISO 8859-1, by byte.
    private static let iso885915: [Int: CInt] = [
        0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152,
        0xBD: 0x0153, 0xBE: 0x0178,
    ]

    /// Returns the code points of the bytes 0 to 255; `nil` for an unknown encoding.
    private static func characters(of name: String) -> [CInt]? {
        var characters = (0..<256).map { CInt($0) }
        switch name.lowercased() {
        case "windows-1252", "cp1252", "windows1252":
            characters.replaceSubrange(0x80..<0xA0, with: windows1252)
        case "iso-8859-15", "iso8859-15", "latin-9":
            for (byte, character) in iso885915 { characters[byte] = character }
        case "latin1", "latin-1", "iso8859-1": break
        default: return nil
        }
        return characters
    }

    /// Returns whether a file is UTF-8 although its XML declaration contains another name: Python
    /// writes `utf8`, and programs that convert a file from UTF-16 keep the name of that encoding.
    /// `start` is the beginning of the file, at least to the end of the declaration.
    static func isUTF8(declaredBy start: [UInt8]) -> Bool {
        let text = String(decoding: start.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            .lowercased().filter { $0 != "-" && $0 != "'" && $0 != "\"" && !$0.isWhitespace }
        return ["encoding=utf8", "encoding=utf16"].contains { text.contains($0) }
    }

    /// Sets the code points of an encoding. Returns `false` if the encoding is unknown.
    static func describe(_ name: String, _ encoding: inout XML_Encoding) -> Bool {
        guard let characters = characters(of: name) else { return false }
        withUnsafeMutableBytes(of: &encoding.map) { map in
            characters.withUnsafeBytes { map.copyMemory(from: $0) }
        }
        (encoding.data, encoding.convert, encoding.release) = (nil, nil, nil)
        return true
    }
}

/// Reads GPX, KML and TCX. The root element determines the format.
struct XMLInput: InputFamily {
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

    var content: any InputContent { document.format ?? UnknownContent(formatName: "XML") }
    var warning: String? {
        let isCutOff = keepsWaypoints && document.hasTruncatedText
        return [
            isCutOff ? "has names or descriptions of more than 64 KiB, which are cut off" : nil,
            content.warning,
        ].warning
    }
    var leftOut: LeftOut { parser.leftOut }
    /// The lines at which the GPX points begin, from 1; empty if `keepsLines` is `false`.
    var lines: [Int] { (document.format as? GPXInput)?.lines ?? [] }

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
