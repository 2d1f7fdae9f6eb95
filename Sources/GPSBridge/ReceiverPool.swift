// SPDX-License-Identifier: MIT
package import Devices
import Synchronization

/// One session per receiver: managers of the same receiver share one open tty.
package final class ReceiverPool: Sendable {
    /// The one for everybody: a tty can only be opened once.
    package static let shared = ReceiverPool()

    private struct Entry {
        weak var session: ReceiverSession?
    }

    private let entries = Mutex<[SourceIdentity: Entry]>([:])

    /// The session of the source's receiver, made if nobody has it.
    package func session(for source: some DeviceSource) -> ReceiverSession {
        let identity = source.identity
        return entries.withLock { entries in
            if let session = entries[identity]?.session { return session }
            entries = entries.filter { $0.value.session != nil }
            let session = ReceiverSession(source)
            entries[identity] = Entry(session: session)
            return session
        }
    }
}
