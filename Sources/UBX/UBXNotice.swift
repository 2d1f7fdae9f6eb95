// SPDX-License-Identifier: MIT

/// A line of text from the receiver: `INF-ERROR`, `INF-WARNING`, `INF-NOTICE`, `INF-TEST` or `INF-DEBUG`.
///
/// The five have one form, so they are one type, made of the frame's id and text.
public struct UBXNotice: Hashable, Sendable {
    /// How important it is.
    public enum Level: UInt8, Sendable {
        /// An error.
        case error = 0
        /// A warning.
        case warning = 1
        /// A notice, as at start.
        case notice = 2
        /// A test.
        case test = 3
        /// A detail for debugging.
        case debug = 4
    }

    /// How important it is.
    public var level: Level
    /// The text. Bytes that are not ASCII become `?`.
    public var text: String

    /// The text by which simulated receivers mark each epoch as simulated.
    package static let simulated = "SIMULATED"

    /// Creates a notice.
    public init(level: Level, text: String) {
        self.level = level
        self.text = text
    }

    /// Reads a frame; `nil` if it is of another class.
    public init?(_ frame: borrowing UBXFrame) {
        guard frame.id.messageClass == 4, let level = Level(rawValue: frame.id.number) else {
            return nil
        }
        self.level = level
        var text = ""
        let bytes = frame.payload
        for index in bytes.indices where bytes[index] != 0 {
            let isASCII = bytes[index] < 0x80
            text.unicodeScalars.append(Unicode.Scalar(isASCII ? bytes[index] : UInt8(ascii: "?")))
        }
        self.text = text
    }

    /// The whole frame.
    public var frame: [UInt8] {
        UBXFrame.bytes(UBXMessageID(4, level.rawValue), payload: Array(text.utf8))
    }
}
