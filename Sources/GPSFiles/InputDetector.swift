// SPDX-License-Identifier: MIT
package import GPSFormats

/// Detects the format of a file by its first bytes, regardless of its name.
package struct InputDetector {
    /// The detected format, if it is known.
    package enum Decision {
        /// More bytes are needed.
        case undecided
        /// NMEA sentences, or any other output of a receiver.
        case sentences
        /// Another format, and its reader.
        case reader(any InputReader)
    }

    /// The maximum size of a CSV header; a longer first line is not CSV.
    private static let longestHeader = 4096

    private let file: String
    private var head: [UInt8] = []

    /// Creates a detector; `file` is the file's name in errors.
    package init(file: String) {
        self.file = file
    }

    /// The bytes pushed so far, all of which must be passed to the reader.
    package var bytes: [UInt8] { head }

    /// Adds bytes; call it until there is a decision. `isLast` marks the end of the file.
    package mutating func push(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) -> Decision {
        head += bytes
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
        guard let first = rest.first else { return isLast ? .sentences : undecided }
        switch first {
        case UInt8(ascii: "<"): return xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .reader(JSONInput(file: file))
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "\\"):
            return .sentences
        default: break
        }
        // Other text is CSV if its first line is a header.
        let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else { return .sentences }
        guard line.count < rest.count || isLast else { return undecided }
        return CSVHeader(line) == nil ? .sentences : .reader(CSVInput(file: file))
    }

    private var undecided: Decision {
        head.count > Self.longestHeader ? .sentences : .undecided
    }

    private var xml: Decision {
        XMLInput(file: file).map { .reader($0) } ?? .sentences
    }
}
