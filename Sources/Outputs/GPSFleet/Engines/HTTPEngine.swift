// SPDX-License-Identifier: MIT
import CGPSCurl
import Dispatch
import Glibc
import Synchronization

/// An engine for HTTP servers. A status from 200 to 299 means that the server has stored the
/// message.
package final class HTTPEngine: Engine {
    private struct State {
        var client: HTTPClient?
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

/// A client that sends POST requests to one server, on its own thread.
///
/// The corresponding C library is libcurl, which also uses the proxy in the environment variable
/// `https_proxy`.
private final class HTTPClient: Sendable {
    /// The settings of all requests.
    struct Settings: Sendable, Equatable {
        var agent = ""
        var user: String?
        var password: String?
        var authorities: String?
        var certificate: String?
        var key: String?
        /// Complete header lines: `NAME: VALUE`.
        var headers: [String] = []
    }

    private struct Request {
        let url: String
        let body: [UInt8]
        let token: UInt
    }

    private struct State {
        var requests: [Request] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let answered: @Sendable (UInt, HTTPResult) -> Void
    // Safety: only the client's thread uses the pointer, apart from calls of `ccurl_wake`, which
    // any thread may make. It is freed after the thread has ended, because the thread retains this
    // object.
    private nonisolated(unsafe) let client: OpaquePointer

    /// Creates a client. `answered` is called on the client's thread with the token and the answer
    /// of each request.
    ///
    /// Throws an error if libcurl is not installed.
    init(
        _ settings: Settings, answered: @escaping @Sendable (UInt, HTTPResult) -> Void
    ) throws(FleetError) {
        if let missing = ccurl_missing() {
            throw FleetError(
                "\(String(cString: missing)) cannot be loaded (Debian: apt-get install libcurl4)",
                isPermanent: true)
        }
        guard let client = Self.begin(settings) else { throw FleetError("out of memory") }
        self.client = client
        self.answered = answered
    }

    deinit { ccurl_end(client) }

    private static func begin(_ settings: Settings) -> OpaquePointer? {
        let texts: [String?] = [
            settings.agent, settings.user, settings.password, settings.authorities,
            settings.certificate, settings.key,
        ]
        // libcurl copies all texts, so the pointers need not be valid for longer.
        return withCStrings(texts + settings.headers) { copies in
            let headers = copies.dropFirst(texts.count) + [nil]
            return headers.withUnsafeBufferPointer { headers in
                var c = ccurl_settings(
                    agent: copies[0], user: copies[1], password: copies[2], authorities: copies[3],
                    certificate: copies[4], key: copies[5], headers: headers.baseAddress)
                return ccurl_begin(&c)
            }
        }
    }

    /// Starts the thread.
    func start() {
        DispatchQueue(label: "gpsbridge.http").async { self.run() }
    }

    /// Sends a POST request. `token` identifies its answer.
    func post(_ url: String, _ body: [UInt8], token: UInt) {
        state.withLock { $0.requests.append(Request(url: url, body: body, token: token)) }
        ccurl_wake(client)
    }

    /// Ends the thread. Requests in flight are not answered.
    func close() {
        state.withLock { $0.isClosed = true }
        ccurl_wake(client)
    }

    private func run() {
        while let requests = newRequests() {
            for request in requests { begin(request) }
            ccurl_perform(client)
            var answer = ccurl_answer()
            while ccurl_next(client, &answer) != 0 {
                answered(
                    answer.token,
                    HTTPResult(
                        status: answer.status, failure: answer.failure.map { String(cString: $0) },
                        retryAfter: answer.retry_after))
            }
            ccurl_wait(client)
        }
    }

    /// Removes and returns the requests that were not started yet; `nil` if the client is closed.
    private func newRequests() -> [Request]? {
        state.withLock { state in
            defer { state.requests = [] }
            return state.isClosed ? nil : state.requests
        }
    }

    private func begin(_ request: Request) {
        let timeout = HTTPEngine.timeout(count: request.body.count)
        let status = request.body.withUnsafeBytes {
            ccurl_post(client, request.url, $0.baseAddress, $0.count, timeout, request.token)
        }
        guard status != 0 else { return }
        answered(request.token, HTTPResult(failure: "out of memory"))
    }
}

/// The result of an HTTP request.
package struct HTTPResult: Sendable {
    /// The HTTP status; 0 if no answer arrived.
    package var status = 0
    /// The reason why the answer is missing or incomplete; `nil` if it arrived completely.
    package var failure: String?
    /// The value of the header `Retry-After` in seconds; 0 without this header, and negative for a
    /// date in the past.
    private var retryAfter: Int64 = 0

    /// The maximum pause. A longer one that a server demands is shortened.
    private static let maximumPause = Duration.seconds(3600)

    package init(status: Int = 0, failure: String? = nil, retryAfter: Int64 = 0) {
        self.status = status
        self.failure = failure
        self.retryAfter = retryAfter
    }

    /// Returns the event that reports the answer to the message with this id. Redirections are
    /// failures and are not followed, because the message and the credentials are meant for one
    /// server.
    package func event(for id: String) -> EngineEvent {
        if let failure { return .failed(id: id, EngineFailure(failure, isGeneral: true)) }
        switch status {
        case 200..<300: return .stored(id: id, nil)
        // A server answers 409 if it already has the message, for example after a lost answer.
        case 400, 409, 413, 414, 415, 422, 431:
            return .refused(id: id, EngineRefusal(text, isOfReceiver: false))
        // Traccar answers with these statuses if it does not know the device.
        case 404, 410: return .refused(id: id, EngineRefusal(text, isOfReceiver: true))
        // With a status from 500 to 599, the message itself may be the cause of the server's error.
        // 503 only means that the server is overloaded.
        default:
            return .failed(
                id: id,
                EngineFailure(
                    text, isGeneral: true, retryAfter: pause,
                    mayBeOfMessage: 500..<600 ~= status && status != 503))
        }
    }

    /// The pause that the server demands, at most an hour; `nil` if it demands none.
    private var pause: Duration? {
        retryAfter > 0 ? min(.seconds(retryAfter), Self.maximumPause) : nil
    }

    private var text: String {
        let meaning: String? =
            switch status {
            case 300..<400:
                "the server redirects to another URL: give that URL"
            case 400, 422:
                "the server does not accept the message, or does not know the device: check "
                    + "--format and --id"
            case 401, 403: "the credentials are missing or wrong"
            case 404, 410:
                "the server has nothing at this URL, or does not know the device: check the URL "
                    + "and --id"
            case 405: "the server does not accept messages at this URL"
            case 407: "the proxy requires credentials"
            case 409: "the server already has this message, or other data in its place"
            case 413, 414, 431: "the message is too large"
            case 415:
                "the server does not accept the format of the messages: choose another with "
                    + "--format"
            case 429: "the server refuses messages because it receives too many"
            default: nil
            }
        return "HTTP status \(status)" + (meaning.map { " (\($0))" } ?? "")
    }
}
