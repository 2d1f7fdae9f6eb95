// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// Counts requests with wrong tokens, and logs them at most once a minute for each client.
package final class WrongTokens: Sendable {
    private struct Client {
        var minute: MonotonicInstant
        /// The number of the client's requests with wrong tokens since the last log message.
        var count = 0
    }

    private struct State {
        var clients: [String: Client] = [:]
        var count = 0
    }

    private static let period = Duration.seconds(60)
    /// The maximum number of addresses that are logged separately within a minute. All others share
    /// one entry.
    private static let limit = 64
    private static let others = "other addresses"

    private let log: @Sendable (String) -> Void
    private let now: @Sendable () -> MonotonicInstant
    private let state = Mutex(State())

    /// Creates a counter that calls `log` with messages. `now` returns the current time.
    package init(
        now: @escaping @Sendable () -> MonotonicInstant, log: @escaping @Sendable (String) -> Void
    ) {
        self.now = now
        self.log = log
    }

    /// The total number of wrong tokens.
    package var count: Int { state.withLock { $0.count } }

    /// Counts a request with a wrong token. `client` is the client's address.
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
