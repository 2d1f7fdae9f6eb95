// SPDX-License-Identifier: MIT
import Glibc

/// Decides by a request's headers whether a client may read pages.
struct HTTPAccess: Sendable {
    /// The name of the cookie with the token, set once a browser has sent a valid one.
    static let cookie = "gpsbridge-token"

    /// Whether only programs on this machine can connect.
    let isLocal: Bool
    /// Host names of this server, in addition to its addresses.
    let hosts: Set<String>
    /// The token that a client must send; `nil` if none is required.
    let token: String?

    private let wrongTokens: WrongTokens

    init(isLocal: Bool, hosts: [String], token: String?, wrongTokens: WrongTokens) {
        self.isLocal = isLocal
        self.token = token
        self.wrongTokens = wrongTokens
        var names = Set(hosts.map { $0.lowercased() })
        if !isLocal, let name = Self.hostName {
            names.formUnion([name, name + ".local"])
        }
        self.hosts = names
    }

    /// Returns the URL of the page at an address, with the server's other names.
    func page(at address: ListenAddress) -> String {
        let url: String
        switch address {
        case .unix(let path): return path
        case .any(let port): url = "http://\(Self.hostName ?? "localhost"):\(port)/"
        default: url = "http://\(address)/"
        }
        let names = hosts.filter { $0 != Self.hostName }.sorted()
        return names.isEmpty ? url : "\(url) (also as \(names.joined(separator: ", ")))"
    }

    /// Returns the response to a refused request; `nil` if the request is allowed.
    func refusal(of request: borrowing HTTPRequest) -> HTTPAnswer? {
        let host = request.header("Host") ?? ""
        // DNS rebinding: a page loaded under a foreign name must not read this one.
        guard isServed(host) else {
            return HTTPAnswer(
                status: 421,
                text: "'\(Self.name(of: host))' is not a name of this server (--http-host)\n")
        }
        // Modern browsers send `Sec-Fetch-Site` over HTTPS and to this machine; others send an
        // origin.
        let isForeign =
            switch (request.header("Sec-Fetch-Site"), request.header("Origin")) {
            case ("same-origin"?, _), ("none"?, _): false
            case (_?, _): request.header("Sec-Fetch-Mode") != "navigate"
            case (nil, let origin?): !Self.isSame(origin, host: host)
            case (nil, nil): false
            }
        guard !isForeign else {
            return HTTPAnswer(status: 403, text: "not for pages of other sites\n")
        }
        return nil
    }

    /// Returns whether a request has the token, or needs none. One valid token among several is
    /// enough. Logs a client that sends only wrong ones.
    func hasToken(_ request: borrowing HTTPRequest) -> Bool {
        guard token != nil else { return true }
        var given = request.cookies(Self.cookie)
        if let bearer = request.credentials("Bearer") { given.append(bearer) }
        if let argument = request.argument("token") { given.append(argument) }
        if given.contains(where: isToken) { return true }
        if !given.isEmpty { wrongTokens.note(request.client ?? "this machine") }
        return false
    }

    /// Returns whether a text equals the token.
    func isToken(_ text: String) -> Bool {
        token.map { Self.isEqual(text, $0) } ?? false
    }

    // MARK: Hosts

    private func isServed(_ host: String) -> Bool {
        let name = Self.name(of: host)
        if ["localhost", "127.0.0.1", "[::1]"].contains(name) || hosts.contains(name) {
            return true
        }
        // DNS rebinding needs a name; it cannot redirect an address.
        return !isLocal && Self.isAddress(name)
    }

    /// Returns a host in lower case without its port.
    static func name(of host: String) -> String {
        let name =
            host.hasPrefix("[")
            ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
        return name.lowercased()
    }

    private static func isAddress(_ name: String) -> Bool {
        var room = in6_addr()
        if name.hasPrefix("["), name.hasSuffix("]") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &room) == 1
        }
        return inet_pton(AF_INET, name, &room) == 1
    }

    /// Returns whether an `Origin` is the requested host.
    private static func isSame(_ origin: String, host: String) -> Bool {
        ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
    }

    private static var hostName: String? {
        var room = [CChar](repeating: 0, count: 256)
        guard gethostname(&room, room.count - 1) == 0 else { return nil }
        let bytes = room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Compares in a time that does not depend on the position of the difference.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
