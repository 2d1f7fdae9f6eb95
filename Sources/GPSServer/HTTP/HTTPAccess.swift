// SPDX-License-Identifier: MIT
import Glibc

/// Access to pages, decided by the headers of a request.
struct HTTPAccess: Sendable {
    /// The cookie that has the token, once a browser has sent it.
    static let cookie = "gpsbridge-token"

    /// Whether only programs of this machine can connect.
    let isLocal: Bool
    /// Names of this server, in addition to its addresses.
    let hosts: Set<String>
    /// The token that clients must send; `nil` if none is required.
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

    /// The page at an address, with the other names of this server.
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

    /// The answer to a request that is refused; `nil` if the request is allowed.
    func refusal(of request: borrowing HTTPRequest) -> HTTPAnswer? {
        let host = request.header("Host") ?? ""
        // A page of a browser that was led here under another name must not read this one.
        guard isServed(host) else {
            return HTTPAnswer(
                status: 421,
                text: "'\(Self.name(of: host))' is not a name of this server (--http-host)\n")
        }
        // Modern browsers say it themselves, over HTTPS and to this machine; others by the origin.
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

    /// Whether a request has the token, where one is needed: any of those that it has will do. A client
    /// that has wrong ones alone is logged.
    func hasToken(_ request: borrowing HTTPRequest) -> Bool {
        guard token != nil else { return true }
        var given = request.cookies(Self.cookie)
        if let bearer = request.credentials("Bearer") { given.append(bearer) }
        if let argument = request.argument("token") { given.append(argument) }
        if given.contains(where: isToken) { return true }
        if !given.isEmpty { wrongTokens.note(request.client ?? "this machine") }
        return false
    }

    /// Whether a text is the token.
    func isToken(_ text: String) -> Bool {
        token.map { Self.isEqual(text, $0) } ?? false
    }

    // MARK: Hosts

    private func isServed(_ host: String) -> Bool {
        let name = Self.name(of: host)
        if ["localhost", "127.0.0.1", "[::1]"].contains(name) || hosts.contains(name) {
            return true
        }
        // An address cannot be redirected here, as a name can (DNS rebinding).
        return !isLocal && Self.isAddress(name)
    }

    /// A host without its port, in small letters.
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

    /// Whether an `Origin` is that of the host that was asked.
    private static func isSame(_ origin: String, host: String) -> Bool {
        ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
    }

    private static var hostName: String? {
        var room = [CChar](repeating: 0, count: 256)
        guard gethostname(&room, room.count - 1) == 0 else { return nil }
        let bytes = room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Compares in constant time.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
