// SPDX-License-Identifier: MIT
import Glibc

/// Resolves a host name on a separate thread, because a name server may take half a minute to
/// answer.
package struct HostLookup: Sendable {
    private let host: String?
    private let port: UInt16
    /// The address for error messages, such as `tcp://localhost:2947`.
    private let name: String

    /// Creates a lookup of a host name or numeric address; a `host` of `nil` means this machine.
    /// `name` is the address for error messages.
    package init(host: String?, port: UInt16, name: String) {
        self.host = host
        self.port = port
        self.name = name
    }

    /// Returns the host's addresses for connecting or, if `passive` is `true`, for listening.
    ///
    /// Throws an ``IOError`` with `errno` 0 if there are no addresses. Its `reason` is `nil` if the
    /// name does not exist. Throws one with `ECANCELED` as soon as the task is cancelled.
    package func addresses(passive: Bool) async throws(IOError) -> [SocketAddress] {
        // A numeric address needs no name server.
        let flags = passive ? AI_PASSIVE : 0
        let numeric = try? SocketAddress.addresses(
            of: host, port: port, flags: AI_NUMERICHOST | flags)
        if let numeric, !numeric.isEmpty { return numeric }
        let (answers, answer) = AsyncStream.makeStream(of: Found.self)
        let look: @Sendable () -> Void = {
            do throws(SocketAddress.LookupFailure) {
                let found = try SocketAddress.addresses(of: host, port: port, flags: flags)
                answer.yield(Found(addresses: found))
            } catch {
                let reason = error.errno.map { String(cString: strerror($0)) } ?? error.reason
                answer.yield(Found(failure: error.isUnknownName ? nil : reason))
            }
        }
        if DetachedThread.start("gps-lookup", look) != 0 { look() }
        // The stream also ends when the task is cancelled.
        var iterator = answers.makeAsyncIterator()
        let found = await iterator.next() ?? Found()
        guard !Task.isCancelled else { throw IOError(.lookUp, name, errno: ECANCELED) }
        guard !found.addresses.isEmpty else {
            throw IOError(.lookUp, name, errno: 0, reason: found.failure)
        }
        return found.addresses
    }

    /// The result of a lookup. If there are no addresses, `failure` is the reason, or `nil` if the
    /// name does not exist.
    private struct Found {
        var addresses: [SocketAddress] = []
        var failure: String?
    }
}
