// SPDX-License-Identifier: MIT
import CGPSMicrohttpd
import GNSS
package import GPSIO
import Glibc
import Synchronization

/// Serves HTTP with libmicrohttpd on the thread of `Poller.clients`.
///
/// The request handler and the streams are called on that thread and must not block.
package final class HTTPServer: Sendable {
    typealias Handler = @Sendable (borrowing HTTPRequest) -> HTTPResponse

    /// The size in bytes of the kernel's send buffer for a stream.
    private static let sendBuffer: UInt32 = 65_536

    /// The time in seconds after which a client that reads none of a stream's bytes is
    /// disconnected.
    private static let streamTimeout: UInt32 = 20

    /// The time between two runs of libmicrohttpd if the poller cannot watch its descriptor.
    private static let retryInterval = Duration.seconds(1)
    /// The time between two attempts to accept a client while the process has no free descriptor.
    private static let acceptInterval = Duration.milliseconds(100)

    /// Loads the shared library libmicrohttpd. Throws a ``ServerError`` if it is not installed.
    static func load() throws(ServerError) {
        guard let missing = cmicrohttpd_missing() else { return }
        throw ServerError(cannot: "serve pages without \(String(cString: missing))", errno: ELIBACC)
    }

    private let socket: ListeningSocket
    // Safety: libmicrohttpd's object is used only by `run(_:)` on the clients' thread and, after
    // that, by `deinit`.
    private nonisolated(unsafe) let server: OpaquePointer
    private let handling: Handling
    private let hasStopped = Atomic(false)

    /// Starts libmicrohttpd on a socket. Requests are not handled until `run(_:)` is called.
    ///
    /// Throws a ``ServerError`` if libmicrohttpd does not start.
    package init(
        _ socket: ListeningSocket, connectionLimit: Int, requestTimeout: Duration
    ) throws(ServerError) {
        func failed() -> ServerError { ServerError(cannot: "serve pages", errno: errno) }
        self.socket = socket
        handling = Handling(StreamResumption(socket.poller))
        let limit = UInt32(clamping: max(1, connectionLimit))
        let timeout = UInt32(clamping: Int64(requestTimeout / .milliseconds(1)))
        errno = 0
        // libmicrohttpd closes its socket when it stops, so it receives a duplicate.
        guard let fd = socket.duplicate() else { throw failed() }
        // Safety: `deinit` stops libmicrohttpd before `handling` is released.
        let context = Unmanaged.passUnretained(handling).toOpaque()
        guard let server = cmicrohttpd_start(fd, limit, timeout, Self.handle, context) else {
            throw failed()
        }
        self.server = server
    }

    deinit {
        stop()
    }

    private func stop() {
        guard !hasStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        cmicrohttpd_stop(server)
    }

    /// The time until libmicrohttpd must run, even without an event; `nil` while there are no
    /// connections.
    package var wait: Duration? {
        let timeout = cmicrohttpd_timeout(server)
        return timeout < 0 ? nil : .milliseconds(timeout)
    }

    /// Answers requests with `handler` until the task is cancelled.
    func run(_ handler: @escaping Handler) async {
        handling.handler = handler
        defer { stop() }
        let events = events
        while !Task.isCancelled, await runOnce(after: events) {}
        events.close()
    }

    /// The descriptor of libmicrohttpd's events.
    package var events: Descriptor {
        Descriptor(cmicrohttpd_epoll(server), owned: false, poller: socket.poller)
    }

    /// Waits until libmicrohttpd must run, and runs it once. Returns `false` if the task is
    /// cancelled.
    package func runOnce(after events: Descriptor) async -> Bool {
        let now = events.poller.now
        let wait = wait
        let readiness = await events.readable(until: wait.map { now + $0 })
        switch readiness {
        case .cancelled, .closed: return false
        case .failed: _ = await events.poller.sleep(until: now + (wait ?? Self.retryInterval))
        default: break
        }
        if cmicrohttpd_run(server) == 0, readiness == .ready {
            // The process has no free descriptor for a client. The event would keep a processor
            // busy.
            _ = await events.poller.sleep(until: events.poller.now + Self.acceptInterval)
        }
        return true
    }

    private static let handle: cmicrohttpd_handler = { context, request in
        guard let context, let request else { return }
        // Safety: `init` passes its `handling`, which outlives libmicrohttpd's object.
        let handling = Unmanaged<Handling>.fromOpaque(context).takeUnretainedValue()
        guard let handler = handling.handler else { return }
        let answer: HTTPResponse
        if let waited = cmicrohttpd_waited(request) {
            // Safety: `delay` has retained the response, which libmicrohttpd has not freed yet.
            let pending = Unmanaged<BackgroundResponse>.fromOpaque(waited).takeUnretainedValue()
            // The response is missing if the client closed its side before it was ready.
            guard let ready = pending.answer else { return }
            answer = ready
        } else {
            answer = handler(HTTPRequest(request))
        }
        switch answer.body {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                cmicrohttpd_reply(request, answer.status, $0.baseAddress, $0.count, 0)
            }
        case .file(let file):
            cmicrohttpd_reply(request, answer.status, file.bytes, file.count, 1)
            cmicrohttpd_add_header(request, "Content-Encoding", "gzip")
        case .stream(let stream): begin(stream, request, handling.resumption)
        case .background(let pending): return delay(pending, request, handling.resumption)
        }
        for (name, value) in answer.headers { cmicrohttpd_add_header(request, name, value) }
        cmicrohttpd_add_header(request, "X-Content-Type-Options", "nosniff")
        cmicrohttpd_add_header(request, "Referrer-Policy", "no-referrer")
        cmicrohttpd_add_header(request, "Cross-Origin-Resource-Policy", "same-origin")
    }

    private static func delay(
        _ pending: BackgroundResponse, _ request: OpaquePointer, _ resumption: StreamResumption
    ) {
        // Safety: released once: by the callback that frees the response or, without one, below.
        let kept = Unmanaged.passRetained(pending)
        let response = cmicrohttpd_wait(
            request,
            { context in
                guard let context else { return }
                // Safety: this balances `passRetained`.
                let pending = Unmanaged<BackgroundResponse>.fromOpaque(context).takeRetainedValue()
                pending.pause.response = nil
                pending.end()
            }, kept.toOpaque())
        guard let response else { return kept.release() }
        pending.pause.response = response
        pending.begin { [weak pending] in
            if let pending { resumption.resume(pending.pause) }
        }
    }

    private static func begin(
        _ stream: any HTTPStream, _ request: OpaquePointer, _ resumption: StreamResumption
    ) {
        let box = StreamBox(stream)
        // Safety: released once: by the callback that frees the response or, without one, below.
        let kept = Unmanaged.passRetained(box)
        let response = cmicrohttpd_stream_reply(
            request, sendBuffer, streamTimeout,
            { context, buffer, room in
                guard let context else { return CMICROHTTPD_END }
                // Safety: the box is retained until the second callback, which is the last one.
                let box = Unmanaged<StreamBox>.fromOpaque(context).takeUnretainedValue()
                let room = UnsafeMutableRawBufferPointer(start: buffer, count: room)
                return box.stream.read(into: room)
                    ?? (box.stream.isBrokenOff ? CMICROHTTPD_BROKEN_OFF : CMICROHTTPD_END)
            },
            { context in
                guard let context else { return }
                // Safety: this balances `passRetained`.
                let box = Unmanaged<StreamBox>.fromOpaque(context).takeRetainedValue()
                box.pause.response = nil
                box.stream.end()
            }, kept.toOpaque())
        guard let response else { return kept.release() }
        box.pause.response = response
        stream.begin { [weak box] in
            if let box { resumption.resume(box.pause) }
        }
    }
}

/// Holds the request handler. C receives it as a context pointer.
// Safety: `handler` is set before libmicrohttpd runs, and then only read on the clients' thread.
private final class Handling: @unchecked Sendable {
    let resumption: StreamResumption
    var handler: HTTPServer.Handler?

    init(_ resumption: StreamResumption) {
        self.resumption = resumption
    }
}

/// An HTTP request of libmicrohttpd. It is valid only during the call of the handler.
struct HTTPRequest: ~Copyable {
    private let request: OpaquePointer
    /// The decoded path of the URL.
    let path: String

    init(_ request: OpaquePointer) {
        self.request = request
        path = cmicrohttpd_path(request).map { String(cString: $0) } ?? ""
    }

    /// Whether the request is of HTTP/1.0.
    var isHTTP10: Bool { cmicrohttpd_is_http10(request) != 0 }

    /// The client's address without its port; `nil` if the client has no address, as on a Unix
    /// socket.
    var client: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            guard let start = room.baseAddress, cmicrohttpd_client(request, start, room.count) != 0
            else { return nil }
            return String(cString: start)
        }
    }

    /// Returns the value of a header; `nil` if the client did not send it.
    func header(_ name: String) -> String? {
        cmicrohttpd_header(request, name).map { String(cString: $0) }
    }

    /// Whether the `Accept-Encoding` header, such as `br;q=1.0, gzip;q=0.8, *;q=0.1`, permits a
    /// response compressed with gzip; `false` without the header. An entry for gzip takes
    /// precedence over `*`.
    var acceptsGzip: Bool {
        var acceptsAny = false
        for entry in (header("Accept-Encoding") ?? "").lowercased().split(separator: ",") {
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            let isAccepted = weight.map { (Double($0) ?? 0) > 0 } ?? true
            switch parts.first {
            case "gzip", "x-gzip": return isAccepted
            case "*": acceptsAny = isAccepted
            default: break
            }
        }
        return acceptsAny
    }

    /// Returns the value of a query parameter; `nil` if it is missing.
    func argument(_ name: String) -> String? {
        cmicrohttpd_argument(request, name).map { String(cString: $0) }
    }

    /// Returns all values of a cookie. A client may have several cookies with the same name, for
    /// different paths.
    func cookies(_ name: String) -> [String] {
        (header("Cookie") ?? "").split(separator: ";").compactMap { part in
            let pair = part.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? String(pair.dropFirst(name.count + 1)) : nil
        }
    }

    /// Returns the credentials of the `Authorization` header if it has the given scheme, such as
    /// `Bearer`; otherwise `nil`. The case of the scheme is ignored.
    func credentials(_ scheme: String) -> String? {
        guard let header = header("Authorization"), let space = header.firstIndex(of: " "),
            header[..<space].lowercased() == scheme.lowercased()
        else { return nil }
        return String(header[space...].drop { $0 == " " })
    }

    /// Returns whether the client already has the version of a file with this entity tag: its
    /// `If-None-Match` header, such as `"1a", W/"2b"`, contains the tag or is `*`.
    func hasVersion(_ tag: String) -> Bool {
        (header("If-None-Match") ?? "").split(separator: ",").contains { entry in
            let entry = entry.filter { $0 != " " && $0 != "\t" }
            return entry == "*"
                || (entry.hasPrefix("W/") ? String(entry.dropFirst(2)) : entry) == tag
        }
    }
}

/// An HTTP response: status, headers and body.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        /// Bytes, which are copied.
        case bytes([UInt8])
        /// A built-in file of the page, compressed with gzip. It is sent without copying.
        case file(PageFile)
        /// Bytes that are produced while the response is sent.
        case stream(any HTTPStream)
        /// A response that is produced in the background. It is sent with its own status and
        /// headers instead of this response.
        case background(BackgroundResponse)
    }

    var status: UInt32 = 200
    var headers: [(name: String, value: String)]
    var body: Body

    init(status: UInt32 = 200, contentType: String? = nil, _ body: Body) {
        self.status = status
        headers = contentType.map { [("Content-Type", $0)] } ?? []
        self.body = body
    }

    init(
        status: UInt32 = 200, contentType: String = "text/plain; charset=utf-8", text: String
    ) {
        self.init(status: status, contentType: contentType, .bytes(Array(text.utf8)))
    }

    /// Returns a copy of the response with an additional header.
    func adding(_ name: String, _ value: String) -> HTTPResponse {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

/// A response body that is produced as fast as the client accepts it. All methods are called on the
/// HTTP server's thread.
package protocol HTTPStream: AnyObject, Sendable {
    /// Writes the next bytes to `room` and returns their number. Returns `nil` at the end of the
    /// body. Returns 0 if no bytes are available yet; it is called again after `resume` was called.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int?

    /// Whether the body ended before it was complete. The connection is then aborted, so that the
    /// client notices the error.
    var isBrokenOff: Bool { get }

    /// Called once before the first read. The stream calls `resume`, on any thread, when bytes are
    /// available after `read` returned 0.
    func begin(resume: @escaping @Sendable () -> Void)

    /// Called once after the last read.
    func end()
}

extension HTTPStream {
    /// By default, `false`: the body is complete when `read` returns `nil`.
    package var isBrokenOff: Bool { false }
}

/// A response that is produced completely on a background thread, and then sent.
final class BackgroundResponse: Sendable {
    private struct State {
        var answer: HTTPResponse?
        var work: Task<Void, Never>?
    }

    /// The paused response to the request, which `HTTPServer` resumes when this response is ready.
    let pause = ResponsePause()
    private let permit: StreamLimit.Permit
    private let make: @Sendable () -> HTTPResponse
    private let state = Mutex(State())

    /// Creates a response that is produced by calling `make` once, which may block. `permit` is
    /// held until `make` has returned and this object has been released.
    init(_ permit: StreamLimit.Permit, _ make: @escaping @Sendable () -> HTTPResponse) {
        self.permit = permit
        self.make = make
    }

    /// The response; `nil` until it has been produced.
    var answer: HTTPResponse? { state.withLock { $0.answer } }

    /// Starts to produce the response. Calls `resume`, on any thread, when it is ready.
    func begin(resume: @escaping @Sendable () -> Void) {
        let (permit, make) = (permit, make)
        let work = Task.detached(executorPreference: BackgroundExecutor.shared) { [weak self] in
            // The permit is held until the work is done, even if the client has disconnected.
            let answer: HTTPResponse? = withExtendedLifetime(permit) {
                Task.isCancelled ? nil : make()
            }
            self?.state.withLock { $0.answer = answer }
            resume()
        }
        state.withLock { $0.work = work }
    }

    /// Cancels the work. It is no longer needed, because the client has received the response or
    /// has disconnected.
    func end() {
        let work = state.withLock { exchange(&$0, with: State()).work }
        work?.cancel()
    }
}

/// Resumes paused responses on the HTTP server's thread. Any thread may call `resume(_:)`.
private final class StreamResumption: Sendable {
    private let poller: Poller
    private let waiting = Mutex<[ResponsePause]>([])

    /// Creates an object for the responses of the HTTP server that runs on `poller`'s thread.
    init(_ poller: Poller) {
        self.poller = poller
    }

    /// Makes libmicrohttpd continue with a paused response. Does nothing if this is already
    /// scheduled.
    func resume(_ pause: ResponsePause) {
        guard !pause.isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isFirst = waiting.withLock { waiting in
            waiting.append(pause)
            return waiting.count == 1
        }
        if isFirst { Task(executorPreference: poller) { self.resumeAll() } }
    }

    private func resumeAll() {
        let pauses = waiting.withLock { exchange(&$0, with: []) }
        for pause in pauses {
            // The flag is cleared first, so that data added from now on causes another resumption.
            pause.isWaiting.store(false, ordering: .releasing)
            if let response = pause.response { cmicrohttpd_resume(response) }
        }
    }
}

/// A response that can be paused.
// Safety: used on the HTTP server's thread only, except for `isWaiting`, which is atomic.
final class ResponsePause: @unchecked Sendable {
    /// libmicrohttpd's object; `nil` before the response begins and after it ends.
    var response: OpaquePointer?
    /// Whether a resumption is pending.
    let isWaiting = Atomic(false)
}

/// A stream, and the object that pauses and resumes its response.
private final class StreamBox: Sendable {
    let stream: any HTTPStream
    let pause = ResponsePause()

    init(_ stream: any HTTPStream) {
        self.stream = stream
    }
}
