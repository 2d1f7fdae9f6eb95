// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
package import GPSIO
import Synchronization

/// Keeps one session per receiver, so that several managers share one open tty.
package final class ReceiverPool: Sendable {
    /// The pool of the process; a tty can only be opened once.
    package static let shared = ReceiverPool()

    private struct Entry {
        weak var session: ReceiverSession?
    }

    private struct State {
        var alarmPolicy = AlarmPolicy.mark
        var entries: [Entry] = []
        var version = 0
    }

    /// The executor and the clock of the sessions.
    package let poller: Poller
    /// The system's clock: the time of fixes without one, and the reference for checking dates.
    package let date: @Sendable () -> UTCTime?
    private let state = Mutex(State())
    /// Sends the beginning and the end of each receiver's integrity alarm.
    package let alarmChanges = Event<AlarmChange>()

    /// The treatment of positions during an alarm, for receivers that are opened from now on.
    package var alarmPolicy: AlarmPolicy {
        get { state.withLock { $0.alarmPolicy } }
        set { state.withLock { $0.alarmPolicy = newValue } }
    }

    /// Creates a separate pool, as for a test.
    package init(
        poller: Poller = .shared,
        date: @escaping @Sendable () -> UTCTime? = { SystemClock.now }
    ) {
        self.poller = poller
        self.date = date
    }

    /// The sessions in use. They are released outside the lock, since that may release a source.
    private func sessions() -> (sessions: [ReceiverSession], version: Int) {
        let state = state.withLock { $0 }
        return (state.entries.compactMap(\.session), state.version)
    }

    /// The number of sessions in use.
    package var sessionCount: Int { sessions().sessions.count }

    /// Returns the session of the source's receiver; creates one if there is none that has not
    /// ended.
    ///
    /// Sources are compared by their current identity: a link may point elsewhere later, and its
    /// former tty may belong to another receiver. Call this only when the session is needed.
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

    /// Joins the session of the source's receiver. If that session ends before the observer is
    /// added, joins a new one, which reads a recording from its beginning.
    package func join(
        _ source: some DeviceSource, as member: SessionMember? = nil,
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void
    ) -> ScopedSubscription {
        session(for: source).join(as: member, observer) { [self] in
            join(source, as: member, observer)
        }
    }

    /// Returns the session that has a tty open, other than `other`.
    func session(holding tty: SourceIdentity, besides other: ReceiverSession) -> ReceiverSession? {
        sessions().sessions.first { $0 !== other && $0.holds(tty) }
    }
}
