// SPDX-License-Identifier: MIT
import CGPSCurl
import Dispatch
import Glibc
import Synchronization

/// A client that sends POST requests to one server, on its own thread.
///
/// The corresponding C library is libcurl, which also uses the proxy in the environment variable
/// `https_proxy`.
final class HTTPClient: Sendable {
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
