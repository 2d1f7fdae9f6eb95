// SPDX-License-Identifier: MIT

/// The services of a ``ReceiverServer``, and their addresses.
public struct ServerConfiguration: Sendable {
    /// Where gpsd's protocol is spoken.
    public var gpsd: [ListenAddress] = [.loopback(port: 2947)]

    /// Where sentences are sent.
    public var sentences: [SentenceOutput] = []

    /// Where the receivers' time is sent.
    public var clocks = ClockConfiguration()

    /// Where the live page, `/metrics` and `/health` are served over HTTP.
    public var http: [ListenAddress] = []

    /// Whether clients may change receivers: their rate, their cycle, or by bytes of the client's own.
    public var allowsControl = false

    /// The content of the live page, and the clients that may read it.
    public var page = PageConfiguration()

    /// How many clients there may be at a time.
    public var maximumClientCount = 8192

    /// The user that the process becomes once the server listens; `nil` where it stays the one that it is.
    public var user: String?

    /// How long the request of an HTTP client may take to come in.
    package var requestTimeout = Duration.seconds(10)

    /// Creates a configuration: gpsd's protocol on this machine's port 2947.
    public init() {}
}
