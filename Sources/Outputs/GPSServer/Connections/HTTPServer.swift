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
