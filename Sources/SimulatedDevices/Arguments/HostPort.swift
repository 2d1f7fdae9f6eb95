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
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let name = colon.map { text[..<$0] }
        let host = name.map { name in
            name.hasPrefix("[") && name.hasSuffix("]") ? name.dropFirst().dropLast() : name
        }
        let hasBracket = host?.contains(where: { "[]".contains($0) }) == true
        let isNumber = !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) }
        guard isNumber, host?.isEmpty != true, !hasBracket, host != nil || !needsHost else {
            let shape = needsHost ? "HOST:PORT" : "[HOST:]PORT"
            throw UsageError(
                "not an address: '\(scheme)\(text)' (expected \(scheme)\(shape), such as "
                    + "\(scheme)localhost:10110)")
        }
        port = try Number.whole(String(digits), "port", in: 0...UInt16.max)
        self.host = host.map { String($0) }
    }
}
