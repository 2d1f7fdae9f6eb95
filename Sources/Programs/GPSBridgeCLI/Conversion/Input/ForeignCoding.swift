// SPDX-License-Identifier: MIT

/// The error for a recording in an encoding that gpsbridge recognises but cannot decode.
struct ForeignCoding: Error, CustomStringConvertible {
    private struct Known {
        let start: [UInt8]
        let name: String
        let command: String
    }

    private static let known = [
        Known(
            start: [0xFD, 0x37, 0x7A, 0x58, 0x5A], name: "is compressed with xz", command: "xzcat"),
        Known(start: [0x42, 0x5A, 0x68], name: "is compressed with bzip2", command: "bzcat"),
        Known(start: [0xFF, 0xFE], name: "is UTF-16", command: "iconv -f UTF-16 -t UTF-8"),
        Known(start: [0xFE, 0xFF], name: "is UTF-16", command: "iconv -f UTF-16 -t UTF-8"),
    ]

    /// The number of bytes at the start of a file that are examined.
    private static let headCount = 8

    private let file: String
    private let kind: Known

    /// Examines the first bytes of the file at path `file`. Returns `nil` unless they indicate an
    /// encoding that gpsbridge cannot decode.
    init?(_ file: String, head: some Collection<UInt8>) {
        let head = Array(head.prefix(Self.headCount))
        guard
            let kind = Self.known.first(where: { head.starts(with: $0.start) }) ?? Self.utf16(head)
        else { return nil }
        self.file = file
        self.kind = kind
    }

    /// Recognises UTF-16 without a byte order mark: every other byte of ASCII text is 0.
    private static func utf16(_ head: [UInt8]) -> Known? {
        guard head.count == headCount else { return nil }
        let zeros = head.indices.filter { head[$0] == 0 }
        guard zeros.count == head.count / 2, let first = zeros.first, first < 2,
            zeros.allSatisfy({ $0 % 2 == first })
        else { return nil }
        let name = first == 0 ? "UTF-16BE" : "UTF-16LE"
        return Known(start: [], name: "is UTF-16", command: "iconv -f \(name) -t UTF-8")
    }

    var description: String {
        let name = file == "-" ? "standard input" : file
        let quoted = file.contains(" ") ? "'\(file)'" : file
        let command = file == "-" ? kind.command : "\(kind.command) \(quoted)"
        return "\(name) \(kind.name): read it with `\(command) | gpsbridge ... -`"
    }
}
