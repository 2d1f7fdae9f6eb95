// SPDX-License-Identifier: MIT
import UBX

/// Finds UBX frames in the bytes that a program sends to a receiver.
struct UBXInput: Sendable {
    /// A UBX frame from a program.
    struct Request: Hashable {
        var id: UBXMessageID
        var payload: [UInt8]
        /// Whether the frame is a poll of its message: the payload is empty.
        var isPoll: Bool { payload.isEmpty }
    }

    private var unread: [UInt8] = []

    /// Adds bytes, and returns the frames that are complete. An incomplete frame is kept until the
    /// next call. Other bytes are skipped.
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
