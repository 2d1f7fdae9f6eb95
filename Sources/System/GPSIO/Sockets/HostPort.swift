// SPDX-License-Identifier: MIT
import GNSS

/// An address on the command line in the form `[HOST:]PORT`. Brackets around an IPv6 address are
/// removed.
package struct HostPort {
    /// The host; `nil` if it was omitted.
    package let host: String?
    /// The port number, 0 to 65535.
    package let port: UInt16

    /// Parses `[HOST:]PORT`, or `HOST:PORT` if `needsHost` is `true`. Throws a `UsageError` for
    /// other text.
    ///
    /// `scheme` is a prefix such as `tcp://`, used only in error messages.
    package init(_ text: String, needsHost: Bool = false, scheme: String = "") throws {
        let hasHost = needsHost || text.contains(":")
        let parts = hasHost ? Self.split(text) : nil
        let digits = hasHost ? parts?.port : text[...]
        guard let digits, !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
            let shape = needsHost ? "HOST:PORT" : "[HOST:]PORT"
            throw UsageError(
                "not an address: '\(scheme)\(text)' (expected \(scheme)\(shape), such as "
                    + "\(scheme)localhost:10110)")
        }
        port = try Number.whole(String(digits), "port", in: 0...UInt16.max)
        host = parts.map { String($0.host) }
    }

    /// Splits `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT` into the host, without brackets,
    /// and the text of the port. Returns `nil` if the host is empty or contains other brackets.
    package static func split(_ text: some StringProtocol) -> (host: Substring, port: Substring?)? {
        var host = Substring(text)
        var port: Substring?
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { "[]".contains($0) }) else { return nil }
        return (host, port)
    }
}
