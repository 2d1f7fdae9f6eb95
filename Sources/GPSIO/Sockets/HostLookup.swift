// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// Resolves a host name on a separate thread, because a name server may take half a minute to
/// answer.
package struct HostLookup: Sendable {
    private let host: String?
    private let port: UInt16
    /// The address for error messages, such as `tcp://localhost:2947`.
    private let name: String

    /// Creates a lookup of a host name or numeric address. `nil` means this machine. `name` is the
    /// address for error messages.
    package init(host: String?, port: UInt16, name: String) {
        self.host = host
        self.port = port
        self.name = name
    }

    /// Returns the host's addresses for connecting or, if `passive` is `true`, for listening.
    ///
    /// Throws an ``IOError``: with `errno` 0 if there are none, with `ECANCELED` as soon as the
    /// task is cancelled.
    package func addresses(passive: Bool) async throws(IOError) -> [SocketAddress] {
        // A numeric address needs no name server.
        let flags = passive ? AI_PASSIVE : 0
        let numeric = try? SocketAddress.addresses(
            of: host, port: port, flags: AI_NUMERICHOST | flags)
        if let numeric, !numeric.isEmpty { return numeric }
        let answer = Answer()
        let look: @Sendable () -> Void = {
            // The cause of a failure is not reported; most often, the name is unknown.
            answer.give((try? SocketAddress.addresses(of: host, port: port, flags: flags)) ?? [])
        }
        if DetachedThread.start("gps-lookup", look) != 0 { look() }
        let found = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            answer.give([])
        }
        guard !Task.isCancelled else { throw IOError(.lookUp, name, errno: ECANCELED) }
        guard !found.isEmpty else { throw IOError(.lookUp, name, errno: 0) }
        return found
    }

    /// The result of the lookup. It is set once: to the addresses found, or to an empty array if
    /// the task is cancelled first.
    private final class Answer: Sendable {
        private enum State {
            case awaited
            case waiting(CheckedContinuation<[SocketAddress], Never>)
            case given([SocketAddress])
        }

        private let state = Mutex(State.awaited)

        func give(_ addresses: [SocketAddress]) {
            let waiter = state.withLock { state -> CheckedContinuation<[SocketAddress], Never>? in
                switch state {
                case .given: return nil
                case .awaited:
                    state = .given(addresses)
                    return nil
                case .waiting(let continuation):
                    state = .given(addresses)
                    return continuation
                }
            }
            waiter?.resume(returning: addresses)
        }

        func wait() async -> [SocketAddress] {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> [SocketAddress]? in
                    if case .given(let addresses) = state { return addresses }
                    state = .waiting(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
