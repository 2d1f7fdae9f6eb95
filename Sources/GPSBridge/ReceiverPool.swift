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

    private let entries = Mutex<[Entry]>([])

    /// Makes a pool of one's own, as for a test.
    package init() {}

    /// How many sessions somebody has.
    package var sessionCount: Int {
        entries.withLock { $0.count { $0.session != nil } }
    }

    /// The session of the source's receiver, made if nobody has it.
    ///
    /// Sources are compared by what they lead to now: a link may have come to lead elsewhere, and the
    /// tty it led to may be another receiver's by now. Ask when the session is needed.
    package func session(for source: some DeviceSource) -> ReceiverSession {
        let identity = source.identity
        return entries.withLock { entries in
            entries.removeAll { $0.session == nil }
            for entry in entries {
                if let session = entry.session, session.source.identity == identity {
                    return session
                }
            }
            let session = ReceiverSession(source, pool: self)
            entries.append(Entry(session: session))
            return session
        }
    }

    /// The session that has a tty open.
    func session(holding tty: SourceIdentity, besides other: ReceiverSession) -> ReceiverSession? {
        // Asked without the lock: a session that goes away calls nobody, but others may.
        let sessions = entries.withLock { $0.compactMap(\.session) }
        return sessions.first { $0 !== other && $0.holds(tty) }
    }
}
