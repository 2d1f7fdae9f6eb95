// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// Logs clients that send wrong tokens, each at most once a minute.
package final class WrongTokens: Sendable {
    private struct Client {
        var minute: MonotonicInstant
        /// The number of attempts since the last message.
        var count = 0
    }

    private struct State {
        var clients: [String: Client] = [:]
        var count = 0
    }

    private static let period = Duration.seconds(60)
    /// The number of addresses logged separately within a minute.
    private static let limit = 64
    private static let others = "other addresses"

    private let log: @Sendable (String) -> Void
    private let now: @Sendable () -> MonotonicInstant
    private let state = Mutex(State())

    /// Creates an empty object that writes messages with `log`.
    package init(
        now: @escaping @Sendable () -> MonotonicInstant, log: @escaping @Sendable (String) -> Void
    ) {
        self.now = now
        self.log = log
    }

    /// The total number of wrong tokens.
    package var count: Int { state.withLock { $0.count } }

    /// Counts a client's attempt.
    package func note(_ client: String) {
        let now = now()
        let message = state.withLock { state -> String? in
            state.count += 1
            var name = client
            if state.clients[name] == nil, state.clients.count >= Self.limit {
                state.clients = state.clients.filter { now - $0.value.minute < Self.period }
                if state.clients.count >= Self.limit { name = Self.others }
            }
            guard var known = state.clients[name] else {
                state.clients[name] = Client(minute: now)
                return "wrong token from \(name)"
            }
            known.count += 1
            defer { state.clients[name] = known }
            guard now - known.minute >= Self.period else { return nil }
            let count = known.count
            known = Client(minute: now)
            return "wrong token from \(name)" + (count > 1 ? ", \(count) times" : "")
        }
        if let message { log(message) }
    }
}
