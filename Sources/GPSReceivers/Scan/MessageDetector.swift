// SPDX-License-Identifier: MIT
import NMEA

/// Detects NMEA sentences, UBX and RTCM 3 frames with a correct checksum, while the rate of a line
/// is searched for.
package struct MessageDetector: Sendable {
    private var framer = Framer()

    /// Creates a detector at the beginning of a stream.
    package init() {}

    /// The messages found in a chunk of bytes.
    package struct Result: Equatable, Sendable {
        /// The number of messages with a correct checksum that the bytes completed.
        package var messages = 0
        /// Whether the bytes contain a UBX header: a binary message need not look like text.
        package var mayBeBinary = false

        /// Creates a result.
        package init(messages: Int = 0, mayBeBinary: Bool = false) {
            (self.messages, self.mayBeBinary) = (messages, mayBeBinary)
        }
    }

    /// Processes the next bytes received at the current rate.
    package mutating func detect(in bytes: [UInt8]) -> Result {
        var messages = 0
        framer.push(bytes.span) { messages += $0.isMessage ? 1 : 0 }
        let headers = zip(bytes, bytes.dropFirst()).contains { $0 == 0xB5 && $1 == 0x62 }
        return Result(messages: messages, mayBeBinary: headers)
    }

    /// Completes a pending message: the line is silent.
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
