// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// The address of a stream of corrections at an NTRIP caster:
/// `ntrip[s]://[USER@]HOST[:PORT]/MOUNT`.
package struct NTRIPAddress: Hashable, Sendable, CustomStringConvertible {
    package let isEncrypted: Bool
    package let host: String
    package let port: UInt16
    /// The user name. The password is never part of an address.
    package let user: String?
    /// The name of the stream; empty for the caster's source table.
    package let mount: String

    /// The address without the user name, for messages.
    package var description: String {
        let scheme = isEncrypted ? "ntrips" : "ntrip"
        return "\(scheme)://\(SocketAddress.text(host, port))/\(mount)"
    }

    /// Returns whether a text is meant to be such an address.
    package static func isMeant(by text: String) -> Bool {
        text.hasPrefix("ntrip://") || text.hasPrefix("ntrips://")
    }

    /// Throws a `UsageError`. If the text contains a password, the error does not repeat it.
    package init(_ text: String) throws {
        guard Self.isMeant(by: text) else {
            throw UsageError("not an NTRIP address: '\(text)' (expected ntrip://HOST/MOUNT)")
        }
        isEncrypted = text.hasPrefix("ntrips:")
        var rest = text.dropFirst(isEncrypted ? 9 : 8)
        var user: String?
        // User names may be mail addresses, and mount points do not contain an at sign.
        if let at = rest.lastIndex(of: "@") {
            user = String(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        guard user?.contains(":") != true else {
            throw UsageError(
                "ntrip://…: every user of this machine can read a password on the command line: "
                    + "put it into a file for --ntrip-password-file FILE")
        }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let address = try HostPort(
            parts[0].contains(":") && !parts[0].hasSuffix("]")
                ? String(parts[0]) : "\(parts[0]):\(isEncrypted ? 443 : 2101)",
            needsHost: true, scheme: isEncrypted ? "ntrips://" : "ntrip://")
        (host, port) = (address.host ?? "", address.port)
        mount = parts.count > 1 ? String(parts[1]) : ""
        self.user = user
        // A space or a line end would change the request.
        guard [host, mount, user ?? ""].allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 } }) else {
            throw UsageError("not an NTRIP address: a space in '\(TerminalText.safe(text))'")
        }
    }

    /// The address of the same caster's source table.
    package var ofTable: NTRIPAddress { NTRIPAddress(self, mount: "") }

    private init(_ other: NTRIPAddress, mount: String) {
        (isEncrypted, host, port) = (other.isEncrypted, other.host, other.port)
        (user, self.mount) = (other.user, mount)
    }
}

/// The versions of NTRIP. A caster may reply in the other one.
package enum NTRIPVersion: Sendable {
    case one, two
}

extension NTRIPAddress {
    /// Returns the request for the stream. `position` is a GGA sentence without its line end.
    func request(
        _ version: NTRIPVersion, password: String?, position: String? = nil
    ) -> [UInt8] {
        // Casters send HTML to agents that do not begin with NTRIP.
        var lines = [
            "GET /\(mount) HTTP/1.\(version == .two ? 1 : 0)",
            "User-Agent: NTRIP gpsbridge/\(Release.version)",
        ]
        if version == .two {
            lines.insert("Host: \(SocketAddress.text(host, port))", at: 1)
            lines += ["Ntrip-Version: Ntrip/2.0", "Accept: */*", "Connection: close"]
            if let position { lines.append("Ntrip-GGA: \(position)") }
        }
        if let user {
            let pair = String(base64: Array("\(user):\(password ?? "")".utf8))
            lines.append("Authorization: Basic \(pair)")
        }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }
}
