// SPDX-License-Identifier: MIT

/// The response to a request.
struct HTTPAnswer: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// Bytes, which are copied.
        case bytes([UInt8])
        /// A file of the page, compressed with gzip. It stays in memory until the process ends.
        case file(PageFile)
        /// Bytes that are produced while they are sent.
        case stream(any HTTPStream)
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

    /// Creates a JSON response.
    init(json: String) {
        self.init(contentType: "application/json", .bytes(Array(json.utf8)))
    }

    /// Returns the response with another header.
    func adding(_ name: String, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

/// A response body that is produced as fast as the client accepts it. It is used on the server's
/// thread only.
package protocol HTTPStream: AnyObject, Sendable {
    /// The limit of bytes that the kernel buffers for the client.
    var sendBuffer: UInt32 { get }

    /// Writes the next bytes; returns their number, 0 if there are none until `resume` is called,
    /// or `nil` at the end.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int?

    /// Whether the body ended early. The connection is then aborted, so that the client notices.
    var isBrokenOff: Bool { get }

    /// Called once before the first read. `resume` may be called on any thread.
    func begin(resume: @escaping @Sendable () -> Void)

    /// Called once after the last read.
    func end()
}

extension HTTPStream {
    /// Default: 64 KiB.
    package var sendBuffer: UInt32 { 65_536 }

    /// Default: `false`.
    package var isBrokenOff: Bool { false }
}
