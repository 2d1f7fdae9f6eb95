// SPDX-License-Identifier: MIT
import CGPSExpat

/// Encodings with one byte per character that expat does not know, but that older programs write.
/// Also recognises UTF-8 files that declare a wrong encoding.
enum XMLEncoding {
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
    static func characters(of name: String) -> [CInt]? {
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
