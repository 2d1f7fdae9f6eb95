// SPDX-License-Identifier: MIT
import NMEA

/// Detects NMEA sentences, UBX frames and RTCM 3 frames with a correct checksum during a baud rate
/// search.
package struct MessageDetector: Sendable {
    private var framer = Framer()

    /// The messages found in a chunk of bytes.
    package struct Result: Equatable, Sendable {
        /// The number of messages with a correct checksum that end in the bytes.
        package var messages = 0
        /// Whether the bytes contain a UBX header. If so, bytes that do not look like text may be
        /// part of a binary message.
        package var mayBeBinary = false

        /// Creates a result.
        package init(messages: Int = 0, mayBeBinary: Bool = false) {
            (self.messages, self.mayBeBinary) = (messages, mayBeBinary)
        }
    }

    /// Processes the next bytes received at the current baud rate.
    package mutating func detect(in bytes: [UInt8]) -> Result {
        var messages = 0
        framer.push(bytes.span) { messages += $0.isMessage ? 1 : 0 }
        let headers = zip(bytes, bytes.dropFirst()).contains { $0 == 0xB5 && $1 == 0x62 }
        return Result(messages: messages, mayBeBinary: headers)
    }

    /// Completes a pending message. Call it when the line has been silent.
    package mutating func silence() -> Result {
        var messages = 0
        framer.silence { messages += $0.isMessage ? 1 : 0 }
        return Result(messages: messages)
    }
}

extension FramerEvent {
    fileprivate var isMessage: Bool {
        switch self {
        case .sentence, .frame: true
        case .rejected, .junk, .tagBlock: false
        }
    }
}
