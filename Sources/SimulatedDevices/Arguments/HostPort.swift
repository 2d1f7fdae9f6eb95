// SPDX-License-Identifier: MIT

/// `[HOST:]PORT` as it is typed; a host with colons stands in brackets.
package struct HostPort {
    /// `nil` where it was left out.
    package let host: String?
    /// The port number, 1 to 65535.
    package let port: UInt16

    /// Throws a `UsageError` for anything else.
    ///
    /// `scheme` stands before it where it was typed, as in `tcp://`.
    package init(_ text: String, needsHost: Bool = false, scheme: String = "") throws {
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let name = colon.map { text[..<$0] }
        let isNumber = !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) }
        guard isNumber, name?.isEmpty != true, name != nil || !needsHost else {
            let shape = needsHost ? "HOST:PORT" : "[HOST:]PORT"
            throw UsageError(
                "'\(scheme)\(text)' is not \(scheme)\(shape), as in \(scheme)localhost:10110")
        }
        port = try Number.whole(String(digits), "port", in: 0...UInt16.max)
        host = name.map { name in
            name.hasPrefix("[") && name.hasSuffix("]")
                ? String(name.dropFirst().dropLast()) : String(name)
        }
    }
}
