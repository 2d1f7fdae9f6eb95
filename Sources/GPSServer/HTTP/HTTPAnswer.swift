// SPDX-License-Identifier: MIT

/// The answer to a request.
struct HTTPAnswer: Sendable {
    /// The content of an answer.
    enum Body: Sendable {
        /// Bytes that are copied.
        case bytes([UInt8])
        /// A file of the page, compressed by gzip, in static memory.
        case file(PageFile)
        /// A stream of bytes.
        case stream(any HTTPStream)
    }

    var status: UInt32 = 200
    var headers: [(name: String, value: String)]
    var body: Body

    /// Creates an answer.
    init(status: UInt32 = 200, contentType: String? = nil, _ body: Body) {
        self.status = status
        headers = contentType.map { [("Content-Type", $0)] } ?? []
        self.body = body
    }

    /// Creates an answer of text.
    init(
        status: UInt32 = 200, contentType: String = "text/plain; charset=utf-8", text: String
    ) {
        self.init(status: status, contentType: contentType, .bytes(Array(text.utf8)))
    }

    /// Creates an answer of JSON.
    init(json: String) {
        self.init(contentType: "application/json", .bytes(Array(json.utf8)))
    }

    /// Adds a header.
    func adding(_ name: String, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

/// The body of an answer that is produced as fast as the client accepts it. It is used on the server's
/// thread only.
package protocol HTTPStream: AnyObject, Sendable {
    /// The most that the kernel buffers for the client, in bytes.
    var sendBuffer: UInt32 { get }

    /// Writes the next bytes: how many, 0 where there are none until `resume` is called, `nil` at the
    /// end.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int?

    /// Whether the stream ended early; the client notices that the answer is incomplete.
    var isBrokenOff: Bool { get }

    /// Called once, before anything is read. `resume` may be called on any thread.
    func begin(resume: @escaping @Sendable () -> Void)

    /// Called once, after the last read.
    func end()
}

extension HTTPStream {
    /// 64 KiB.
    package var sendBuffer: UInt32 { 65_536 }

    /// Default: `false`.
    package var isBrokenOff: Bool { false }
}
