// SPDX-License-Identifier: MIT
import CGPSExpat
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
    private var hasBegun = false
    /// The bytes from the start of the file until the end of the XML declaration is found; then
    /// `nil`.
    private var declaration: [UInt8]? = []
    /// Whether the XML parsed so far is well-formed. It stays `true` if the handler rejects the
    /// content.
    private(set) var isWellFormed = true

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
        }
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
                isWellFormed = false
                let reason = XML_ErrorString(XML_GetErrorCode(parser)).map {
                    ": \(String(cString: $0))"
                }
                throw InputError(
                    file, line: line, "the XML is not well-formed\(reason ?? "")")
            }
            // The start of the incomplete tag or comment; negative if it is not known.
            let start = Int(clamping: XML_GetCurrentByteIndex(parser))
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

    private var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) + blankLines }

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
        guard let reason = error.leftOut, !isStrict else { return false }
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
