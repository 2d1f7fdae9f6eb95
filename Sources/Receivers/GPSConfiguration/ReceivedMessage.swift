// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Finds complete messages in the byte stream of a serial line. Pass it chunks of any size.
///
/// `NMEA.Framer` does this for fixes, but rejects the replies of some manufacturers, which this
/// scanner also recognises.
struct MessageScanner: Sendable {
    private var unread: [UInt8] = []
    private var waitsSince: MonotonicInstant?

    /// The maximum time until a message is complete. After that, its first byte is skipped as
    /// noise.
    private static let maximumWait = Duration.seconds(2)

    /// Returns the messages that are completed by `bytes`.
    mutating func messages(in bytes: [UInt8], at now: MonotonicInstant) -> [ReceivedMessage] {
        unread += bytes
        var messages: [ReceivedMessage] = []
        var position = 0
        if let waitsSince, now - waitsSince > Self.maximumWait {
            position = 1
            self.waitsSince = nil
        }
        scan: while position < unread.count {
            switch recognise(at: position) {
            case .message(let message, let count):
                messages.append(message)
                position += count
                waitsSince = nil
            case .incomplete:
                if waitsSince == nil { waitsSince = now }
                break scan
            case .none: position += 1
            }
        }
        unread.removeFirst(position)
        if unread.isEmpty { waitsSince = nil }
        return messages
    }

    private func recognise(at start: Int) -> FrameRecognition {
        switch unread[start] {
        case 0xB5:
            switch UBXFrame.recognise(unread.span, at: start) {
            case .frame(let count):
                guard let (id, payload) = Array(unread[start..<start + count]).ubxMessage else {
                    return .none
                }
                return .message(.ubx(id, payload), count: count)
            case .incomplete: return .incomplete
            case .none: return .none
            }
        case CASICFrame.start:
            switch CASICFrame.recognise(unread[start...]) {
            case .frame(let frame, let count):
                return .message(.casic(frame.id, frame.payload), count: count)
            case .incomplete: return .incomplete
            case .none: return .none
            }
        case 0xAA: return UnicoreFrame.recognise(unread[start...])
        case UInt8(ascii: "$"), UInt8(ascii: "#"): return TextLine.recognise(unread[start...])
        default: return .none
        }
    }
}

/// The result of looking for a message at the start of a byte sequence.
enum FrameRecognition {
    /// A complete message of `count` bytes.
    case message(ReceivedMessage, count: Int)
    /// The beginning of a possible message whose end has not been received.
    case incomplete
    /// The bytes do not begin with a message.
    case none
}
