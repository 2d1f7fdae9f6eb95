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
    /// Throws an ``IOError``: with `errno` 0 if there are none (and the reason, unless the name is
    /// unknown), with `ECANCELED` as soon as the task is cancelled.
    package func addresses(passive: Bool) async throws(IOError) -> [SocketAddress] {
        // A numeric address needs no name server.
        let flags = passive ? AI_PASSIVE : 0
        let numeric = try? SocketAddress.addresses(
            of: host, port: port, flags: AI_NUMERICHOST | flags)
        if let numeric, !numeric.isEmpty { return numeric }
        let answer = Answer()
        let look: @Sendable () -> Void = {
            do throws(SocketAddress.LookupFailure) {
                let found = try SocketAddress.addresses(of: host, port: port, flags: flags)
                answer.give(Found(addresses: found))
            } catch {
                let reason = error.errno.map { String(cString: strerror($0)) } ?? error.reason
                answer.give(Found(failure: error.isUnknownName ? nil : reason))
            }
        }
        if DetachedThread.start("gps-lookup", look) != 0 { look() }
        let found = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            answer.give(Found())
        }
        guard !Task.isCancelled else { throw IOError(.lookUp, name, errno: ECANCELED) }
        guard !found.addresses.isEmpty else {
            throw IOError(.lookUp, name, errno: 0, reason: found.failure)
        }
        return found.addresses
    }

    /// The addresses of the host, or the reason why there are none; `nil` if its name is unknown.
    private struct Found {
        var addresses: [SocketAddress] = []
        var failure: String?
    }

    /// The result of the lookup. It is set once: to what was found, or to nothing if the task is
    /// cancelled first.
    private final class Answer: Sendable {
        private enum State {
            case awaited
            case waiting(CheckedContinuation<Found, Never>)
            case given(Found)
        }

        private let state = Mutex(State.awaited)

        func give(_ found: Found) {
            let waiter = state.withLock { state -> CheckedContinuation<Found, Never>? in
                switch state {
                case .given: return nil
                case .awaited:
                    state = .given(found)
                    return nil
                case .waiting(let continuation):
                    state = .given(found)
                    return continuation
                }
            }
            waiter?.resume(returning: found)
        }

        func wait() async -> Found {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Found? in
                    if case .given(let found) = state { return found }
                    state = .waiting(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
