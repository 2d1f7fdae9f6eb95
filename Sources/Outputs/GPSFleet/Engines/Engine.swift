// SPDX-License-Identifier: MIT
import GPSIO
package import GPSReceivers
import Glibc

/// A message that an `Engine` sends to its server.
package struct EngineMessage: Sendable, Equatable {
    /// The NATS subject or MQTT topic; empty for HTTP.
    package var destination: String
    /// The message's id, which the acknowledgement contains. NATS drops a message whose id it
    /// already has.
    package var id: String
    /// The encoded content of the message.
    package var bytes: [UInt8]
    /// Whether MQTT retains the message for later subscribers.
    package var isRetained = false
}

/// An event that an `Engine` reports.
package enum EngineEvent: Sendable {
    /// The server accepts messages from now on.
    case connected
    /// The `Engine` accepts messages, but connects only when the first one is sent.
    case ready
    /// The server temporarily accepts no messages, for the given reason.
    case disconnected(String)
    /// The server has stored the message with this id. The receipt is `nil` if the server does not
    /// report where.
    case stored(id: String, StoreReceipt?)
    /// The message with this id was not stored, or it is unknown whether it was, because no answer
    /// arrived.
    case failed(id: String, EngineFailure)
    /// The server does not accept the message with this id, and may never do so.
    case refused(id: String, EngineRefusal)
    /// The answer to a call of `Engine.check` with this token.
    case checked(token: Int, StorePresence)
    /// A line for the log.
    case note(String)
}

/// The reason why a message was not stored.
package struct EngineFailure: Error, Sendable, Equatable {
    /// The reason in words.
    package let text: String
    /// Whether the server can temporarily store no message at all, so an immediate retry is
    /// useless.
    package let isGeneral: Bool
    /// The minimum time until the next attempt; `nil` if the server demands none.
    package let retryAfter: Duration?
    /// Whether the message itself may be the cause, because the server has answered it with an
    /// error.
    package let mayBeOfMessage: Bool

    package init(
        _ text: String, isGeneral: Bool, retryAfter: Duration? = nil, mayBeOfMessage: Bool = false
    ) {
        self.text = text
        self.isGeneral = isGeneral
        self.retryAfter = retryAfter
        self.mayBeOfMessage = mayBeOfMessage
    }
}

/// The reason why a server does not accept a message.
package struct EngineRefusal: Error, Sendable, Equatable {
    /// The reason in words.
    package let text: String
    /// Whether the server refuses all messages of this receiver.
    package let isOfReceiver: Bool
    /// Whether the server has only failed to store the message, so it may accept the message later.
    let mayBeTemporary: Bool

    package init(_ text: String, isOfReceiver: Bool, mayBeTemporary: Bool = false) {
        self.text = text
        self.isOfReceiver = isOfReceiver
        self.mayBeTemporary = mayBeTemporary
    }
}

/// A connection to a server that stores messages. It reports the result of each message with an
/// event, which may arrive on any thread.
package protocol Engine: Sendable {
    /// The maximum number of messages in flight: sent, but not answered.
    var window: Int { get }

    /// Whether the fixes of each receiver are sent oldest first, one message at a time, unless the
    /// user chooses another order.
    var isOrdered: Bool { get }

    /// Starts to connect. Throws an error if connecting can never succeed.
    func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError)

    /// Sends a message. An event reports the result.
    func send(_ message: EngineMessage)

    /// Checks whether the server still has the message with this id at `position`, which a receipt
    /// has reported. A `checked` event with `token` reports the result.
    func check(_ id: String, at position: StreamPosition, token: Int)

    /// Disconnects, and stops reporting events.
    func close()
}

extension Engine {
    /// By default, `false`: live fixes are sent before older ones, and several messages at once.
    package var isOrdered: Bool { false }

    /// By default, does nothing, for a server that sends no receipts.
    package func check(_ id: String, at position: StreamPosition, token: Int) {}
}

/// Calls `body` with pointers to the strings as C strings; a missing string is a null pointer. The
/// pointers are only valid during the call.
func withCStrings<R>(_ strings: [String?], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    let copies = strings.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) })
}

extension EngineAccess {
    /// Returns a copy of the access for one address. Files that are not set are taken from
    /// environment variables. `environment` returns the value of a variable.
    ///
    /// All sources that a program reads share these variables, but a secret must not be sent to the
    /// server of another source. So each variable is used only for certain addresses:
    ///
    /// - `GPSBRIDGE_CREDENTIALS` and `GPSBRIDGE_NKEY` for NATS
    /// - `GPSBRIDGE_PASSWORD_FILE` for addresses with a user
    /// - `GPSBRIDGE_TOKEN_FILE` for addresses of NATS without a user
    /// - `GPSBRIDGE_CA`, `GPSBRIDGE_CERT` and `GPSBRIDGE_KEY` for all addresses
    ///
    /// Throws an error if a file with a secret is missing or can be read by others.
    package func completed(
        for url: EngineURL, from environment: (String) -> String?
    ) throws(FleetError) -> EngineAccess {
        func variable(_ name: String) -> String? { environment("GPSBRIDGE_\(name)") }
        func complete(_ file: inout SecretFile?, _ name: String) throws(FleetError) {
            guard file == nil, let path = variable(name) else { return }
            file = try SecretFile(path)
        }
        var access = self
        if url.engine == .nats {
            try complete(&access.credentials, "CREDENTIALS")
            try complete(&access.nkey, "NKEY")
        }
        if url.user != nil {
            try complete(&access.password, "PASSWORD_FILE")
        } else if url.engine == .nats {
            try complete(&access.password, "TOKEN_FILE")
        }
        access.authorities = authorities ?? variable("CA")
        access.certificate = certificate ?? variable("CERT")
        try complete(&access.key, "KEY")
        return access
    }
}

/// The credentials for a server, and the certificate authorities for verifying its certificate.
package struct EngineAccess: Hashable, Sendable {
    /// A NATS credentials file with a user's token and seed.
    package var credentials: SecretFile?
    /// A file with an nkey's seed and, on another line, its public key.
    package var nkey: SecretFile?
    package var password: SecretFile?
    /// A file with header lines for HTTP requests.
    package var headers: SecretFile?
    /// The path of a file with certificate authorities, which are used instead of the system's
    /// authorities. libnats also trusts the system's authorities.
    package var authorities: String?
    /// The path of a file with this program's TLS certificate.
    package var certificate: String?
    /// A file with the certificate's private key.
    package var key: SecretFile?

    /// Creates access without credentials, with the system's certificate authorities.
    package init() {}

    /// A copy without the files that only NATS uses.
    package var withoutNATS: EngineAccess {
        var access = self
        (access.credentials, access.nkey) = (nil, nil)
        return access
    }

    /// Returns the access for one of several targets, which use the same options.
    ///
    /// If there are NATS targets, the other targets do not get the files that only NATS uses. If
    /// any target has a user, only targets with a user get the password. A NATS target without a
    /// user uses the password as its token, but gets it only if all targets are NATS targets
    /// without a user. These rules are needed because a NATS server could otherwise receive the
    /// password of another server.
    package func forTarget(_ url: EngineURL, among targets: [EngineURL]) -> EngineAccess {
        let isNATS = url.engine == .nats
        var access = !isNATS && targets.contains { $0.engine == .nats } ? withoutNATS : self
        let isForOthers = targets.contains { $0.user != nil || isNATS && $0.engine != .nats }
        if url.user == nil, isForOthers { access.password = nil }
        return access
    }

    /// Checks that the protocol of an address can use all files that are set. Throws an error if it
    /// cannot.
    package func check(for url: EngineURL) throws(FleetError) {
        guard url.engine != .nats, self != withoutNATS else { return }
        let options = [("--credentials", credentials), ("--nkey", nkey)]
            .filter { $0.1 != nil }.map(\.0).joined(separator: " and ")
        let others =
            url.engine == .mqtt
            ? "for MQTT, use mqtt://USER@HOST with --password-file FILE"
            : "for HTTP, use --header-file FILE or --password-file FILE"
        throw FleetError(
            "\(url.label): \(options) can only be used with NATS; \(others), or --cert FILE with --key FILE"
        )
    }

    /// Whether the connection must be encrypted even if the address does not require it.
    var needsEncryption: Bool { authorities != nil || certificate != nil }
}

/// The address of a messaging or HTTP server: `nats://HOST[:PORT][,HOST…]`, `tls://…`, `mqtt://…`,
/// `mqtts://…`, `http://…` or `https://…`, with an optional `USER@` before the host and an optional
/// path.
package struct EngineURL: Hashable, Sendable, CustomStringConvertible {
    /// The protocol of the server.
    package enum Engine: Hashable, Sendable {
        case nats
        case mqtt
        case http
    }

    /// The protocol of the server.
    package let engine: Engine
    /// Whether the scheme requires TLS from the beginning (`tls`, `mqtts`, `https`).
    package let isSecure: Bool
    /// The user name; `nil` if the address contains none.
    package let user: String?
    /// The servers. MQTT and HTTP have exactly one, NATS may have several.
    package let servers: [NetworkEndpoint]
    /// The components of the path. If fixes are read from the server, they are `FLEET`, `BRIDGE`
    /// and `RECEIVER`.
    package let path: [String]
    /// The address without the user name, with the path. HTTP requests are sent to it.
    package let address: String
    /// The address for messages to the user. For HTTP, it has no user name and no path, because the
    /// path may contain a key.
    package let label: String

    /// The address as it was given. It contains no password.
    package let description: String

    private static let schemes: [(name: String, engine: Engine, isSecure: Bool, port: UInt16)] = [
        ("nats", .nats, false, 4222), ("tls", .nats, true, 4222),
        ("mqtt", .mqtt, false, 1883), ("mqtts", .mqtt, true, 8883),
        ("http", .http, false, 80), ("https", .http, true, 443),
    ]

    /// Parses an address. Throws an error if it is malformed or contains a password.
    package init(_ text: String) throws(FleetError) {
        guard let scheme = Self.schemes.first(where: { text.hasPrefix("\($0.name)://") }) else {
            throw FleetError(
                "not an address of NATS, MQTT or HTTP: '\(text)' (expected nats://HOST, mqtt://HOST "
                    + "or http://HOST)")
        }
        let rest = text.dropFirst(scheme.name.count + 3)
        // Queries often contain keys.
        guard scheme.engine != .http || !rest.contains("?") else {
            throw FleetError(
                "\(scheme.name)://…: every user of this machine can read a query on the command line: leave "
                    + "out ?…, and put keys into a file for --header-file or --password-file")
        }
        guard scheme.engine != .http || rest.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x23 })
        else {
            throw FleetError(
                "\(scheme.name)://…: the address has characters that must be percent-encoded, such as %20 for a space"
            )
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = rest[..<slash]
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            guard !user.contains(":") else {
                throw FleetError(
                    "\(scheme.name)://…: every user of this machine can read a password on the command line: put it "
                        + "into a file for --password-file")
            }
            self.user = String(user)
            authority = authority[authority.index(after: at)...]
        } else {
            user = nil
        }
        let server = "\(scheme.name)://\(authority)"
        let label = scheme.engine == .http ? server : text
        var servers: [NetworkEndpoint] = []
        for part in authority.split(separator: ",", omittingEmptySubsequences: false) {
            guard let endpoint = Self.endpoint(part, port: scheme.port) else {
                throw FleetError(
                    "not a server: '\(part)' in '\(label)' (expected HOST or HOST:PORT)")
            }
            servers.append(endpoint)
        }
        guard scheme.engine == .nats || servers.count == 1 else {
            throw FleetError("'\(label)' has several servers, but MQTT and HTTP use only one")
        }
        engine = scheme.engine
        isSecure = scheme.isSecure
        self.servers = servers
        path = rest[slash...].split(separator: "/").map(String.init)
        address = server + rest[slash...]
        self.label = label
        description = text
    }

    /// Parses `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`; `nil` if the text is malformed.
    private static func endpoint(_ text: Substring, port: UInt16) -> NetworkEndpoint? {
        guard let (host, digits) = HostPort.split(text),
            let port = digits.map({ SocketAddress.port($0) }) ?? port, port > 0
        else { return nil }
        return NetworkEndpoint(host: String(host), port: port)
    }
}

/// An error of the connection to a server, of a spool or of a database.
package struct FleetError: Error, Hashable, CustomStringConvertible {
    /// The failure and, if there is one, a remedy, without the subject.
    package let reason: String
    /// The object of the failure, such as a spool; `nil` if `reason` names it.
    private let subject: String?
    /// Whether a retry is useless.
    package var isPermanent = false
    /// Whether the disk is full, or a spool's file has reached its maximum size.
    var isFull = false

    /// Creates an error. `subject` is the object of the failure, such as a spool; `nil` if `reason`
    /// names it.
    package init(_ reason: String, of subject: String? = nil, isPermanent: Bool = false) {
        self.reason = reason
        self.subject = subject
        self.isPermanent = isPermanent
    }

    /// The subject, if there is one, and the reason.
    package var description: String { subject.map { "\($0): \(reason)" } ?? reason }
}

/// A file with a password, a key or credentials. Only its owner may read it.
package struct SecretFile: Hashable, Sendable {
    /// The maximum size of the file in bytes.
    private static let limit = 65_536

    package let path: String

    /// Creates a reference to a file after checking its permissions.
    ///
    /// Throws an error if the file is missing, if it belongs neither to this user nor to root, or
    /// if users other than its owner have any permission.
    package init(_ path: String) throws(FleetError) {
        if let refusal = RegularFile.secretRefusal(path) { throw FleetError(refusal) }
        self.path = path
    }

    /// Returns the first line.
    ///
    /// Throws an error if the file cannot be read or the line is empty.
    package func firstLine() throws(FleetError) -> String {
        guard let line = try lines().first, !line.isEmpty else {
            throw FleetError("the first line of \(path) is empty: write the secret there")
        }
        return line
    }

    /// Returns the lines, without line ends.
    ///
    /// Throws an error if the file cannot be read or is larger than 64 KiB.
    func lines() throws(FleetError) -> [String] {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.bytes(of: path, limit: Self.limit)
        } catch {
            throw FleetError("cannot read \(path): \(error)")
        }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
    }
}

/// The position of a message that a server has stored.
package struct StreamPosition: Hashable, Sendable {
    /// The stream's name.
    package let stream: String
    /// The message's sequence number in the stream. Sequence numbers increase. They are assigned
    /// again only if the server loses its last messages.
    package let number: UInt64

    /// Creates a position from a stream's name and a sequence number in it.
    package init(stream: String, number: UInt64) {
        self.stream = stream
        self.number = number
    }
}

/// A server's confirmation that it has stored a message.
package struct StoreReceipt: Hashable, Sendable {
    package let position: StreamPosition
    /// Whether the server already had the message, and so has dropped the new one.
    let isDuplicate: Bool

    package init(position: StreamPosition, isDuplicate: Bool = false) {
        self.position = position
        self.isDuplicate = isDuplicate
    }
}

/// Whether a server still has a message.
package enum StorePresence: Sendable {
    /// The server has the message, or had it until a limit or an administrator removed it.
    case present
    /// The server has lost the message.
    case missing
    /// The server did not answer.
    case unknown
}
