// SPDX-License-Identifier: MIT

/// An HTTP response: status, headers and body.
struct HTTPResponse: Sendable {
    /// The body of a response.
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

    /// Creates a response.
    init(status: UInt32 = 200, contentType: String? = nil, _ body: Body) {
        self.status = status
        headers = contentType.map { [("Content-Type", $0)] } ?? []
        self.body = body
    }

    /// Creates a plain-text response.
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
