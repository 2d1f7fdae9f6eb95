// SPDX-License-Identifier: MIT
import CMicrohttpd
import Devices

/// What is answered to a request for a page.
struct HTTPAnswer: Sendable {
    var status: UInt32 = 200
    var contentType = "text/plain; charset=utf-8"
    var text: String
}

/// Serves pages over HTTP on the polling thread, by libmicrohttpd.
final class HTTPServer: Sendable {
    private static let mostConnections: UInt32 = 256

    private let socket: ListeningSocket
    /// Whether only programs of this machine can connect.
    private let isLocal: Bool
    private let page: @Sendable (_ path: String, _ accept: String) -> HTTPAnswer

    init(
        _ socket: ListeningSocket, isLocal: Bool,
        page: @escaping @Sendable (_ path: String, _ accept: String) -> HTTPAnswer
    ) {
        self.socket = socket
        self.isLocal = isLocal
        self.page = page
    }

    /// Serves until the task is cancelled.
    func run() async {
        let context = Unmanaged.passUnretained(self).toOpaque()
        // libmicrohttpd closes the socket in the end: it gets one of its own.
        guard let fd = socket.duplicate(),
            let server = cmicrohttpd_start(
                fd, Self.mostConnections, Self.handle, Self.release, context)
        else { return }
        defer { cmicrohttpd_stop(server) }
        let events = Descriptor(
            cmicrohttpd_epoll(server), owned: false, poller: socket.poller)
        while !Task.isCancelled {
            let timeout = cmicrohttpd_timeout(server)
            let deadline: ContinuousClock.Instant? =
                timeout < 0 ? nil : events.poller.now + .milliseconds(timeout)
            switch await events.readable(until: deadline) {
            case .ready, .timedOut: cmicrohttpd_run(server)
            default: return events.close()
            }
        }
        events.close()
    }

    private static let handle: cmicrohttpd_handler = { context, path, host, accept, answer in
        guard let context, let path, let host, let accept, let answer else { return }
        let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        let reply = server.answer(
            String(cString: path), host: String(cString: host), accept: String(cString: accept))
        let text = Kept(reply.text, reply.contentType)
        answer.pointee.status = reply.status
        answer.pointee.data = UnsafeRawPointer(text.bytes.baseAddress)
        answer.pointee.count = UInt(text.count)
        answer.pointee.content_type = UnsafePointer(text.contentType)
        answer.pointee.keep = Unmanaged.passRetained(text).toOpaque()
    }

    private static let release:
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<cmicrohttpd_answer>?) -> Void =
            {
                _, answer in
                guard let keep = answer?.pointee.keep else { return }
                Unmanaged<Kept>.fromOpaque(keep).release()
            }

    private func answer(_ path: String, host: String, accept: String) -> HTTPAnswer {
        // A page of a browser that has been led here by a name of its own is not answered.
        guard !isLocal || Self.isLocal(host) else {
            return HTTPAnswer(status: 421, text: "not the host that is served here\n")
        }
        return page(path, accept)
    }

    private static func isLocal(_ host: String) -> Bool {
        let name =
            host.hasPrefix("[")
            ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(String(name))
    }

    /// Bytes that C reads until it releases them.
    private final class Kept {
        let bytes: UnsafeMutableBufferPointer<CChar>
        let contentType: UnsafeMutablePointer<CChar>
        let count: Int

        init(_ text: String, _ contentType: String) {
            bytes = Self.copy(text)
            count = bytes.count - 1
            self.contentType = Self.copy(contentType).baseAddress ?? .allocate(capacity: 1)
        }

        deinit {
            bytes.deallocate()
            contentType.deallocate()
        }

        private static func copy(_ text: String) -> UnsafeMutableBufferPointer<CChar> {
            let source = text.utf8CString
            let room = UnsafeMutableBufferPointer<CChar>.allocate(capacity: source.count)
            _ = room.initialize(from: source)
            return room
        }
    }
}
