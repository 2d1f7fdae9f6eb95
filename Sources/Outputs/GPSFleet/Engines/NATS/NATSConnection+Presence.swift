// SPDX-License-Identifier: MIT
import CGPSNATS

extension NATSConnection {
    /// Returns whether a stream still has the message that it stored at a position. `id` is the
    /// message's id.
    ///
    /// Blocks for a few seconds at most. The corresponding C functions are `js_GetStreamInfo` and
    /// `js_GetMsg`.
    func presence(of id: String, at position: StreamPosition) -> StorePresence {
        // If the information cannot be requested, the presence of the message is unknown.
        guard
            let stored = try? streamInfo(
                position.stream, { (first: $0.State.FirstSeq, last: $0.State.LastSeq) })
        else { return .unknown }
        guard position.number <= stored.last else { return .missing }
        // Older messages than the first one were removed by the stream's limits or an
        // administrator, so they were not lost.
        guard position.number >= stored.first else { return .present }
        var message: OpaquePointer?
        let status = js_GetMsg(&message, jetStream, position.stream, position.number, nil, nil)
        guard status == NATS_OK, let message else {
            return status == NATS_NOT_FOUND ? .present : .unknown
        }
        defer { natsMsg_Destroy(message) }
        var present: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, "Nats-Msg-Id", &present) == NATS_OK, let present else {
            return .missing
        }
        return String(cString: present) == id ? .present : .missing
    }
}
