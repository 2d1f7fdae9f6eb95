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

    /// Has a session found under its source's identity as it is now, besides what it was.
    func enter(_ session: ReceiverSession) {
        let identity = session.source.identity
        entries.withLock { entries in
            if entries[identity]?.session == nil { entries[identity] = Entry(session: session) }
        }
    }

    /// The session of the source's receiver, made if nobody has it.
    ///
    /// Ask when it is needed: what a link leads to may change.
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
