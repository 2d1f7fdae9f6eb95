// SPDX-License-Identifier: MIT
import NMEA

/// Detects NMEA sentences, UBX and RTCM 3 frames with a right checksum, while a line's rate is searched.
package struct NMEAMessageDetector: MessageDetector {
    private var framer = Framer()

    /// Creates a detector at the beginning of a stream.
    package init() {}

    package mutating func detect(in bytes: [UInt8]) -> DetectedMessages {
        var messages = 0
        framer.push(bytes.span) { messages += $0.isMessage ? 1 : 0 }
        let headers = zip(bytes, bytes.dropFirst()).contains { $0 == 0xB5 && $1 == 0x62 }
        return DetectedMessages(messages: messages, mayBeBinary: headers)
    }

    package mutating func silence() -> DetectedMessages {
        var messages = 0
        framer.silence { messages += $0.isMessage ? 1 : 0 }
        return DetectedMessages(messages: messages)
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
