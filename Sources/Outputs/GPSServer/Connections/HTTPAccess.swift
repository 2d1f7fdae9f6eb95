// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import Glibc
import Synchronization

/// Decides from a request's headers and token whether a client may read pages.
struct HTTPAccess: Sendable {
    /// The name of the cookie that contains the token. It is set after a browser has sent a valid
    /// token in the URL.
    static let cookie = "gpsbridge-token"

    /// Whether only programs on this machine can connect to the socket.
    let isLocal: Bool
    /// The host names, in lower case, that a `Host` header may contain in addition to `localhost`,
    /// 127.0.0.1 and ::1. Other numeric addresses are permitted if `isLocal` is `false`.
    let hosts: Set<String>
    /// The token that a client must send; `nil` if none is required.
    let token: String?

    private let wrongTokens: WrongTokens

    /// Creates the rules of a socket. If `address` contains a host, requests may name it.
    init(
        isLocal: Bool, address: ListenAddress?, hosts: [String], token: String?,
        wrongTokens: WrongTokens
    ) {
        self.isLocal = isLocal
        self.token = token
        self.wrongTokens = wrongTokens
        var names = Set(hosts.map { $0.lowercased() })
        if !isLocal { names.formUnion(Self.ownNames) }
        if let address, case .host = address { names.insert(Self.name(of: "\(address)")) }
        self.hosts = names
    }

    /// Returns the page's location as text for the user: its URL at an address, followed by the
    /// server's other host names, or the path of a Unix socket.
    func page(at address: ListenAddress) -> String {
        let url: String
        switch address {
        case .unix(let path): return path
        case .any(let port): url = "http://\(Self.hostName ?? "localhost"):\(port)/"
        default: url = "http://\(address)/"
        }
        let shown = Self.name(of: "\(address)")
        let names = hosts.filter { $0 != Self.hostName && $0 != shown }.sorted()
        return names.isEmpty ? url : "\(url) (also as \(names.joined(separator: ", ")))"
    }

    /// Returns the error response if the request's host or origin is refused; `nil` if the request
    /// is allowed.
    func refusal(of request: borrowing HTTPRequest) -> HTTPResponse? {
        refusal(
            // HTTP/1.0 has no `Host`. Browsers always send one.
            host: request.header("Host") ?? (request.isHTTP10 ? nil : ""),
            origin: request.header("Origin"), site: request.header("Sec-Fetch-Site"),
            isNavigation: request.header("Sec-Fetch-Mode") == "navigate")
    }

    /// Returns the error response to a request with these headers if it is refused; `nil` if it is
    /// allowed. `host` is `nil` if the request needs none.
    func refusal(
        host: String?, origin: String?, site: String?, isNavigation: Bool
    ) -> HTTPResponse? {
        // This prevents DNS rebinding: a page loaded from a foreign host name must not read this
        // server.
        if let host, !isServed(host) {
            return HTTPResponse(
                status: 421,
                text: "'\(host.prefix(80))' is not a name of this server (--http-host)\n")
        }
        // Modern browsers send `Sec-Fetch-Site` over HTTPS and to localhost. In other cases,
        // browsers send `Origin`.
        let isForeign =
            switch (site, origin) {
            case ("same-origin"?, _), ("none"?, _): false
            case (_?, _): !isNavigation
            case (nil, let origin?): !Self.isSame(origin, host: host ?? "")
            case (nil, nil): false
            }
        guard !isForeign else {
            return HTTPResponse(status: 403, text: "pages of other sites may not request this\n")
        }
        return nil
    }

    /// Returns whether a request contains a valid token or needs none. The token may be in the
    /// cookie, in the `Authorization` header or in the URL. Counts and logs a request with only
    /// wrong tokens.
    func hasToken(_ request: borrowing HTTPRequest) -> Bool {
        guard token != nil else { return true }
        var given = request.cookies(Self.cookie)
        if let bearer = request.credentials("Bearer") { given.append(bearer) }
        if let argument = request.argument("token") { given.append(argument) }
        if given.contains(where: isToken) { return true }
        if !given.isEmpty { wrongTokens.note(request.client ?? "this machine") }
        return false
    }

    /// Returns whether a string equals the token.
    func isToken(_ text: String) -> Bool {
        token.map { Self.isEqual(text, $0) } ?? false
    }

    // MARK: Hosts

    private func isServed(_ host: String) -> Bool {
        let name = Self.name(of: host)
        let port = host.lowercased().dropFirst(name.count)
        // Nothing but a port may follow the name: `localhost:1@evil.com` names another host.
        guard host.lowercased().hasPrefix(name), port.isEmpty || Self.isPort(port) else {
            return false
        }
        if ["localhost", "127.0.0.1", "[::1]"].contains(name) || hosts.contains(name) {
            return true
        }
        // Numeric addresses are safe, because DNS rebinding needs a name.
        return !isLocal && Self.isAddress(name)
    }

    /// Returns the host name of a `Host` header in lower case, without the port.
    static func name(of host: String) -> String {
        let name =
            host.hasPrefix("[")
            ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
        return name.lowercased()
    }

    /// Returns whether text is a colon and, unless it is the default port, a number.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        return text.first == ":" && digits.utf8.count <= 5
            && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func isAddress(_ name: String) -> Bool {
        var room = in6_addr()
        if name.hasPrefix("["), name.hasSuffix("]") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &room) == 1
        }
        return inet_pton(AF_INET, name, &room) == 1
    }

    /// Returns whether an `Origin` header contains the requested host and port.
    private static func isSame(_ origin: String, host: String) -> Bool {
        ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
    }

    /// This machine's names, in lower case.
    static var ownNames: [String] { hostName.map { [$0, $0 + ".local"] } ?? [] }

    private static var hostName: String? { SocketAddress.ownName?.lowercased() }

    /// Compares two texts in constant time for their length, so that the time does not reveal the
    /// position of the first difference.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}

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
