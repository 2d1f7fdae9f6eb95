// SPDX-License-Identifier: MIT
package import GPSConfiguration

/// The services of a ``ReceiverServer``, and their addresses.
public struct ServerConfiguration: Sendable {
    /// The addresses for gpsd's protocol.
    public var gpsd: [ListenAddress] = [.loopback(port: 2947)]

    /// The destinations of sentences.
    public var sentences: [SentenceOutput] = []

    /// The destinations of the receivers' time.
    public var clocks = ClockConfiguration()

    /// The addresses of the HTTP server for the live page, `/metrics` and `/health`.
    public var http: [ListenAddress] = []

    /// Whether clients may change a receiver's rate and cycle, and send bytes to it.
    public var allowsControl = false
    /// The folder of journals, from which an interrupted change is undone.
    package var journals = JournalFolder.default

    /// The content of the live page, and the clients that may read it.
    public var page = PageConfiguration()

    /// The limit of simultaneous clients.
    public var maximumClientCount = 8192

    /// The user that the process changes to once the server listens; `nil` to keep the current one.
    public var user: String?

    /// The time limit for an HTTP request to arrive completely.
    package var requestTimeout = Duration.seconds(10)

    /// Creates a configuration: gpsd's protocol on this machine's port 2947.
    public init() {}
}
