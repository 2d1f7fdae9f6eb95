// SPDX-License-Identifier: MIT

/// A line of text from the receiver: `INF-ERROR`, `INF-WARNING`, `INF-NOTICE`, `INF-TEST` or
/// `INF-DEBUG`.
///
/// All five messages have the same format, so one type represents them.
public struct UBXNotice: Hashable, Sendable {
    /// The severity of the notice.
    public enum Level: UInt8, Sendable {
        /// An error.
        case error = 0
        /// A warning.
        case warning = 1
        /// A notice, for example at the receiver's start.
        case notice = 2
        /// A test output.
        case test = 3
        /// A detail for debugging.
        case debug = 4
    }

    /// The severity of the notice.
    public var level: Level
    /// The text. Non-ASCII bytes become `?`.
    public var text: String

    /// The text of the notice that simulated receivers send in each epoch.
    package static let simulated = "SIMULATED"

    /// Creates a notice.
    public init(level: Level, text: String) {
        self.level = level
        self.text = text
    }

    /// Reads a frame. Returns `nil` if the frame is not one of the five `INF` messages.
    public init?(_ frame: borrowing UBXFrame) {
        guard frame.id.messageClass == 4, let level = Level(rawValue: frame.id.number) else {
            return nil
        }
        self.level = level
        let bytes = frame.payload
        text = String(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            for index in bytes.indices where bytes[index] != 0 {
                buffer[count] = bytes[index] < 0x80 ? bytes[index] : UInt8(ascii: "?")
                count += 1
            }
            return count
        }
    }

    /// The complete frame.
    public var frame: [UInt8] {
        UBXFrame.bytes(UBXMessageID(4, level.rawValue), payload: Array(text.utf8))
    }
}
