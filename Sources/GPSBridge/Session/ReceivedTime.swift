// SPDX-License-Identifier: MIT
import GNSS

/// The line by which a recording says when the bytes behind it came; see docs/recording.md.
enum ReceivedTime {
    private static let pattern = "# 0000-00-00T00:00:00.000000Z"

    /// How many characters it has, without its end.
    static var length: Int { pattern.utf8.count }

    /// The instant of such a line; `nil` for any other.
    static func time(in line: [UInt8]) -> UTCTime? {
        let end = line.dropFirst(length)
        guard line.starts(with: "# ".utf8), line.count >= length,
            line[12] == UInt8(ascii: "T"), line[length - 1] == UInt8(ascii: "Z"),
            end.allSatisfy({ $0 == 0x0D || $0 == 0x0A })
        else { return nil }
        return UTCTime(iso8601: String(decoding: line[2..<length], as: UTF8.self))
    }
}
