// SPDX-License-Identifier: MIT
import UBX

/// Finds UBX frames in the bytes that a program writes to a receiver.
struct UBXInput: Sendable {
    /// A frame from a program.
    struct Request: Hashable {
        var id: UBXMessageID
        var payload: [UInt8]
        /// Whether the payload is empty: a poll of that message.
        var isPoll: Bool { payload.isEmpty }
    }

    private var unread: [UInt8] = []

    /// Returns the whole frames; a part of a frame is kept until its end arrives.
    mutating func requests(in bytes: [UInt8]) -> [Request] {
        unread += bytes
        var requests: [Request] = []
        var position = 0
        scan: while position < unread.count {
            switch UBXFrame.recognise(unread.span, at: position) {
            case .frame(let count):
                requests.append(
                    Request(
                        id: UBXMessageID(unread[position + 2], unread[position + 3]),
                        payload: Array(unread[(position + 6)..<(position + count - 2)])))
                position += count
            case .incomplete: break scan
            case .none: position += 1
            }
        }
        unread.removeFirst(position)
        return requests
    }
}
