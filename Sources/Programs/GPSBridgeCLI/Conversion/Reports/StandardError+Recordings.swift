// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSIO
import GPSReceivers

extension StandardError {
    /// The maximum size in bytes of a file that is examined for a message.
    private static let maximumExamined = 1 << 22

    /// Prints the name of a recording and a warning about its content, such as omitted records.
    static func printWarning(_ warning: String, in name: String) {
        print("\(FileName.shown(name)) \(warning)", level: .warning)
    }

    /// Reports that a source contains no valid sentence. If known, the message names its binary
    /// protocol, or the reason why most sentences were rejected, or states that a file is empty or
    /// has an unknown format. The message is dropped if standard error is blocked for more than
    /// `limit` milliseconds.
    static func reportNoSentence(
        in name: String, binary: BinaryProtocol? = nil, rejection: String? = nil, limit: CInt? = nil
    ) {
        let shown = name == "-" ? "standard input" : FileName.shown(name)
        let text: String
        if let binary {
            text = "\(binary.error(of: shown, isRecording: true))"
        } else if let rejection {
            text = "\(shown) contains no valid sentence, only rejected ones, mostly \(rejection)"
        } else {
            text = "\(shown) \(otherContent(of: name) ?? "contains no valid sentence")"
        }
        print(text, limit: limit)
    }

    /// Returns a statement about a file that is empty or has an unknown format. Returns `nil` for
    /// other files, and for devices, which must not be opened again.
    private static func otherContent(of path: String) -> String? {
        guard path != "-", let file = RegularFile(path: path) else { return nil }
        guard file.size > 0 else { return "is empty" }
        guard let bytes = try? RegularFile.bytes(of: path, limit: maximumExamined) else {
            return nil
        }
        let frameStart: [UInt8] = [0xB5, 0x62]
        let isKnown =
            CompressedInput.isCompressed(bytes) || bytes.starts(with: "# gpsbridge".utf8)
            || InputDetector.hasSentence(bytes[...]) || bytes.firstRange(of: frameStart) != nil
        return isKnown
            ? nil : "is not in a known format: `gpsbridge convert --help` lists those that are read"
    }
}
