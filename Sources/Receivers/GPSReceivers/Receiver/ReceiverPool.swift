// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
package import GPSIO
import Synchronization

/// Keeps one session per receiver, so that several `LocationManager`s share one open tty.
package final class ReceiverPool: Sendable {
    /// The pool of this process. It is shared because a tty can only be opened once.
    package static let shared = ReceiverPool()

    private struct Entry {
        weak var session: ReceiverSession?
    }

    private struct State {
        var alarmPolicy = AlarmPolicy.mark
        var authentication: AuthenticationSettings?
        var navigation: Navigator.Settings?
        var describe: @Sendable (DeviceError) -> String = { "\($0)" }
        var entries: [Entry] = []
        var version = 0
    }

    /// The executor and the clock of the sessions.
    package let poller: Poller
    /// Returns the system's date; `nil` if it is not known. It is used for fixes without a date,
    /// and to check the receivers' dates.
    package let date: @Sendable () -> UTCTime?
    private let state = Mutex(State())
    /// Sends the beginning, change and end of each receiver's alarms.
    package let alarmChanges = Event<AlarmChange>()

    /// How positions are handled during an alarm. A change applies only to receivers that are
    /// opened later.
    package var alarmPolicy: AlarmPolicy {
        get { state.withLock { $0.alarmPolicy } }
        set { state.withLock { $0.alarmPolicy = newValue } }
    }

    /// How Galileo's signatures are verified; `nil` if they are not. A change applies only to
    /// receivers that are opened later.
    package var authentication: AuthenticationSettings? {
        get { state.withLock { $0.authentication } }
        set { state.withLock { $0.authentication = newValue } }
    }

    /// The settings of the anchor watch and the route; `nil` to use neither. A change applies only
    /// to sessions that are created later.
    package var navigation: Navigator.Settings? {
        get { state.withLock { $0.navigation } }
        set { state.withLock { $0.navigation = newValue } }
    }

    /// Returns the text for an error of a receiver, for the messages of a `ConsensusSource` about
    /// its receivers. A change applies only to sources that are read later.
    package var describe: @Sendable (DeviceError) -> String {
        get { state.withLock { $0.describe } }
        set { state.withLock { $0.describe = newValue } }
    }

    /// Creates a separate pool, for example for a test.
    package init(
        poller: Poller = .shared,
        date: @escaping @Sendable () -> UTCTime? = { SystemClock.now }
    ) {
        self.poller = poller
        self.date = date
    }

    /// Returns the sessions in use, and the version of the list for `replaceSessions`. Sessions are
    /// released outside the lock, because a session's deinitialization may release a source.
    private func sessions() -> (sessions: [ReceiverSession], version: Int) {
        let state = state.withLock { $0 }
        return (state.entries.compactMap(\.session), state.version)
    }

    /// Replaces the list of sessions. Returns `false`, and changes nothing, if the list has changed
    /// since `version`.
    private func replaceSessions(of version: Int, with sessions: [ReceiverSession]) -> Bool {
        state.withLock { state in
            guard state.version == version else { return false }
            state.version += 1
            state.entries = sessions.map { Entry(session: $0) }
            return true
        }
    }

    /// The number of sessions in use.
    package var sessionCount: Int { sessions().sessions.count }

    /// Returns the session of the source's receiver. Creates a session if there is none or if it
    /// has ended.
    ///
    /// The source is compared by its current identity, because a symbolic link may point elsewhere
    /// later, and its previous tty may belong to another receiver. Therefore, call this only when
    /// the session is needed. A session that has opened a link is compared by the tty that it has
    /// open.
    ///
    /// If `isPart` is `true`, the source is one of those that a `ConsensusSource` combines, and its
    /// session has no anchor watch and no route.
    package func session(
        for source: some DeviceSource, isPart: Bool = false
    ) -> ReceiverSession {
        let identity = source.identity
        while true {
            let (sessions, version) = sessions()
            if let session = sessions.first(where: {
                $0.identity == identity && $0.canRead(source)
            }) {
                return session
            }
            let session = ReceiverSession(
                source, pool: self, navigation: isPart ? nil : navigation, poller: poller,
                date: date)
            if replaceSessions(of: version, with: sessions + [session]) { return session }
        }
    }

    /// Removes the session of a receiver that will be opened differently, for example at another
    /// baud rate. Its observers keep it; the next call of `session(for:)` creates a new one.
    package func forgetSession(for source: some DeviceSource) {
        let identity = source.identity
        while true {
            let (sessions, version) = sessions()
            let others = sessions.filter { $0.identity != identity }
            if replaceSessions(of: version, with: others) { return }
        }
    }

    /// Joins the session of the source's receiver. If that session ends before the observer is
    /// added, joins a new session, which reads a recording from its beginning. The observer is
    /// called on the polling thread, and must not block.
    package func join(
        _ source: some DeviceSource, as member: SessionMember? = nil,
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void
    ) -> ScopedSubscription {
        session(for: source).join(as: member, observer) { [self] in
            join(source, as: member, observer)
        }
    }

    /// Returns the session, other than `other`, that has `tty` open; `nil` if there is none.
    func session(holding tty: SourceIdentity, besides other: ReceiverSession) -> ReceiverSession? {
        sessions().sessions.first { $0 !== other && $0.tty == tty }
    }
}

extension ReceiverSession {
    /// Identifies the receiver that the session reads. After the session has opened a link, that is
    /// the open tty, because the link may have been replaced.
    fileprivate var identity: SourceIdentity {
        guard let serial = source as? SerialSource, !serial.followsReceiver,
            let open = line?.tty
        else { return source.identity }
        return open
    }
}
