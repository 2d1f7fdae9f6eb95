// SPDX-License-Identifier: MIT

/// The services of a ``ReceiverServer``, and their addresses.
public struct ServerConfiguration: Sendable {
    /// The addresses for clients of gpsd's protocol.
    public var gpsd: [ListenAddress] = [.loopback(port: 2947)]

    /// The outputs of sentences.
    public var sentences: [SentenceOutput] = []

    /// The outputs of the receivers' time.
    public var clocks = ClockConfiguration()

    /// The addresses of the live page, `/metrics` and `/health` over HTTP.
    public var http: [ListenAddress] = []

    /// Whether clients may change receivers: their rate, their cycle, or by bytes of the client's own.
    public var allowsControl = false

    /// The content of the live page, and the clients that may read it.
    public var page = PageConfiguration()

    /// The maximum number of clients at a time.
    public var maximumClientCount = 8192

    /// The user that the process becomes once the server listens; `nil` if it stays the one that it is.
    public var user: String?

    /// The time limit for receiving the request of an HTTP client.
    package var requestTimeout = Duration.seconds(10)

    /// Creates a configuration: gpsd's protocol on this machine's port 2947.
    public init() {}
}
