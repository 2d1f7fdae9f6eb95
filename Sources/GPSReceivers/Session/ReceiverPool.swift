// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
package import GPSIO
import Synchronization

/// One session per receiver: managers of the same receiver share one open tty.
package final class ReceiverPool: Sendable {
    /// The pool of the process: a tty can only be opened once.
    package static let shared = ReceiverPool()

    private struct Entry {
        weak var session: ReceiverSession?
    }

    private struct State {
        var entries: [Entry] = []
        var version = 0
    }

    /// What the sessions run on, and by whose clock.
    package let poller: Poller
    /// The system's clock: the time of fixes whose receiver has none, and what dates are checked by.
    package let date: @Sendable () -> UTCTime?
    private let state = Mutex(State())

    /// Creates a separate pool, as for a test.
    package init(
        poller: Poller = .shared,
        date: @escaping @Sendable () -> UTCTime? = { SystemClock.now }
    ) {
        self.poller = poller
        self.date = date
    }

    /// The sessions that are in use. Held outside the lock, for releasing one may release its source.
    private func sessions() -> (sessions: [ReceiverSession], version: Int) {
        let state = state.withLock { $0 }
        return (state.entries.compactMap(\.session), state.version)
    }

    /// How many sessions are in use.
    package var sessionCount: Int { sessions().sessions.count }

    /// The session of the source's receiver, made if there is none that goes on.
    ///
    /// Sources are compared by what they lead to now: a link may have come to lead elsewhere, and the
    /// tty it led to may be another receiver's by now. Ask when the session is needed.
    package func session(for source: some DeviceSource) -> ReceiverSession {
        let identity = source.identity
        while true {
            let (sessions, version) = sessions()
            if let session = sessions.first(where: {
                !$0.hasEnded && $0.source.identity == identity
            }) {
                return session
            }
            let session = ReceiverSession(source, pool: self, poller: poller, date: date)
            let isAdded = state.withLock { state in
                guard state.version == version else { return false }
                state.version += 1
                state.entries = (sessions + [session]).map { Entry(session: $0) }
                return true
            }
            if isAdded { return session }
        }
    }

    /// Joins the session of the source's receiver. If it ends before the observer is in, that is a
    /// new one: a recording is read from its beginning then.
    package func join(
        _ source: some DeviceSource, as member: SessionMember? = nil,
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void
    ) -> ScopedSubscription {
        session(for: source).join(as: member, observer) { [self] in
            join(source, as: member, observer)
        }
    }

    /// The session that has a tty open.
    func session(holding tty: SourceIdentity, besides other: ReceiverSession) -> ReceiverSession? {
        sessions().sessions.first { $0 !== other && $0.holds(tty) }
    }
}
