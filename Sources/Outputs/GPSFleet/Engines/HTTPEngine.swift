// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// An engine for HTTP servers. A status from 200 to 299 means that the server has stored the
/// message.
package final class HTTPEngine: Engine {
    private struct State {
        var client: HTTPClient?
        /// The settings of the client.
        var settings = HTTPClient.Settings()
        var onEvent: (@Sendable (EngineEvent) -> Void)?
        /// The ids of the messages in flight, by request token.
        var ids: [UInt: String] = [:]
        var lastToken: UInt = 0
        /// Whether the server has refused the credentials since the client was started.
        var isRefused = false
    }

    package let window = 8
    package let isOrdered = true

    private let url: EngineURL
    private let access: EngineAccess
    private let software: String
    private let contentType: String?
    private let state = Mutex(State())

    /// Creates an engine for the messages of a format. `software`, the name and version of the
    /// sending program, is sent as the user agent.
    package init(
        _ url: EngineURL, _ access: EngineAccess, software: String, format: any HTTPFormat
    ) {
        self.url = url
        self.access = access
        self.software = software
        contentType = format.contentType
    }

    package func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError) {
        state.withLock { $0.onEvent = onEvent }
        try begin(with: try settings())
        onEvent(.ready)
    }

    /// Starts a client that replaces the current one. Requests in flight fail.
    private func begin(with settings: HTTPClient.Settings) throws(FleetError) {
        let client = try HTTPClient(settings) { [weak self] in self?.answered($0, $1) }
        client.start()
        let onEvent = state.withLock { $0.onEvent }
        let (old, lost) = state.withLock { state -> (HTTPClient?, [UInt: String]) in
            // The engine may have been closed in the meantime.
            guard state.onEvent != nil else { return (client, [:]) }
            state.settings = settings
            state.isRefused = false
            return (exchange(&state.client, with: client), exchange(&state.ids, with: [:]))
        }
        old?.close()
        // Failures are reported in the order of sending, because the messages are sent again in the
        // order of these reports.
        for (_, id) in lost.sorted(by: { $0.key < $1.key }) {
            let failure = EngineFailure("the credentials have changed", isGeneral: true)
            onEvent?(.failed(id: id, failure))
        }
    }

    /// Reads the files with credentials again if the server has refused them. If they have changed,
    /// uses the new ones for the next requests.
    private func renewCredentials() {
        guard state.withLock({ $0.isRefused }), let settings = try? settings(),
            settings != state.withLock({ $0.settings })
        else { return }
        try? begin(with: settings)
    }

    private func settings() throws(FleetError) -> HTTPClient.Settings {
        try access.check(for: url)
        guard access.password == nil || url.user != nil else {
            throw FleetError(
                "\(url.label): a password needs a user, as in https://USER@HOST; put a token into a file "
                    + "for --header-file", isPermanent: true)
        }
        guard url.isSecure || !access.needsEncryption else {
            throw FleetError(
                "\(url.label) is not encrypted: use https:// with --ca and --cert",
                isPermanent: true)
        }
        for path in [access.authorities, access.certificate].compactMap({ $0 })
        where Glibc.access(path, R_OK) != 0 {
            throw FleetError(
                "cannot read \(path): \(String(cString: strerror(errno)))", isPermanent: true)
        }
        var settings = HTTPClient.Settings()
        settings.agent = software
        settings.user = url.user
        settings.password = try access.password?.firstLine()
        settings.authorities = access.authorities
        settings.certificate = access.certificate
        settings.key = access.key?.path
        settings.headers = try access.headers?.headerLines() ?? []
        if let contentType { settings.headers.append("Content-Type: \(contentType)") }
        return settings
    }

    /// Returns the maximum duration of a request with `count` bytes, in seconds. It is at least a
    /// minute, and longer for many fixes, which could otherwise never be sent over a link slower
    /// than 2 kB/s.
    package static func timeout(count: Int) -> Int { 60 + count / 500 }

    package func send(_ message: EngineMessage) {
        renewCredentials()
        let (client, token) = state.withLock { state -> (HTTPClient?, UInt) in
            state.lastToken &+= 1
            state.ids[state.lastToken] = message.id
            return (state.client, state.lastToken)
        }
        if contentType == nil {
            let query = String(decoding: message.bytes, as: UTF8.self)
            client?.post("\(url.address)?\(query)", [], token: token)
        } else {
            client?.post(url.address, message.bytes, token: token)
        }
    }

    package func close() {
        let client = state.withLock { state in
            state.onEvent = nil
            return exchange(&state.client, with: nil)
        }
        client?.close()
    }

    private func answered(_ token: UInt, _ answer: HTTPResult) {
        let (id, onEvent) = state.withLock { ($0.ids.removeValue(forKey: token), $0.onEvent) }
        guard let id, let onEvent else { return }
        if [401, 403].contains(answer.status) { state.withLock { $0.isRefused = true } }
        onEvent(answer.event(for: id))
    }
}

extension SecretFile {
    /// Returns the header lines in the file, without empty lines and lines that begin with `#`.
    ///
    /// Throws an error if a line is not a header. The error does not contain the line, which may be
    /// secret.
    func headerLines() throws(FleetError) -> [String] {
        var headers: [String] = []
        for (index, line) in try lines().enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let name = line.prefix { $0 != ":" }
            guard name.count < line.count, !name.isEmpty,
                name.utf8.allSatisfy(MemberName.isTokenCharacter),
                line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else {
                throw FleetError(
                    "\(path), line \(index + 1), is not a header line (expected 'NAME: VALUE')")
            }
            headers.append(line)
        }
        return headers
    }
}
