// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Formats the statistics of a recording's sentences as text.
struct StatisticsText {
    private static let words = [
        "accepted": "sentences decoded", "raw": "of unknown types",
        "proprietaryRaw": "proprietary, of unknown types", "query": "queries",
        "encapsulated": "encapsulated (AIS)", "glued": "joined to the next one",
        "trailingJunk": "with bytes after the checksum", "fieldErrors": "bad fields",
        "noChecksum": "without a checksum", "malformedChecksum": "with a malformed checksum",
        "badChecksum": "with a wrong checksum", "nonPrintable": "with invalid characters",
        "truncated": "cut off", "overlong": "too long", "emptyBody": "empty",
        "badAddress": "with a bad address", "tooFewFields": "with too few fields",
        "unterminated": "without an end", "gsvIncomplete": "incomplete lists of satellites",
        "junkBytes": "bytes of other data", "ubxFrames": "UBX frames",
        "rtcmFrames": "RTCM frames", "binaryBytes": "bytes in frames", "tagBlocks": "TAG blocks",
        "tagBlockBad": "TAG blocks with a wrong checksum",
    ]

    /// The number of bytes in comments. The decoder counts them as bytes of other data.
    private(set) var commentBytes = 0
    private var comments = 0
    private var isComment = false
    private var isLineStart = true
    private(set) var byteCount = 0

    /// Counts the next bytes of the recording. Lines that begin with `#` are comments.
    mutating func note(_ bytes: ArraySlice<UInt8>) {
        byteCount += bytes.count
        for byte in bytes {
            if isLineStart, byte == UInt8(ascii: "#") {
                isComment = true
                comments += 1
            }
            isLineStart = byte == 0x0A
            if byte == 0x0A || byte == 0x0D { isComment = false }
            if isComment { commentBytes += 1 }
        }
    }

    /// Returns the most frequent reason why sentences were rejected, such as "without a checksum";
    /// `nil` if none was rejected. The text contains no number, because `statistics` does not
    /// include the pieces that other cores converted.
    static func rejection(_ statistics: Statistics) -> String? {
        let reason = Rejection.Reason.allCases.max { statistics[$0] < statistics[$1] }
        return reason.flatMap { statistics[$0] > 0 ? words[$0.rawValue] : nil }
    }

    /// Returns the statistics as one line of text.
    func text(_ statistics: Statistics) -> String {
        guard byteCount > 0 else { return "the file is empty: 0 sentences" }
        let counters = statistics.counters.compactMap { name, count -> String? in
            let real = name == "junkBytes" ? max(0, count - commentBytes) : count
            return real > 0 ? "\(real) \(Self.words[name] ?? name)" : nil
        }
        let all =
            counters
            + (comments > 0 ? ["\(Plural.text(comments, "line")) of comments"] : [])
        return all.isEmpty ? "0 sentences" : all.joined(separator: ", ")
    }
}
