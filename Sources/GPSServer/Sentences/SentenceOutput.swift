// SPDX-License-Identifier: MIT

/// A destination of receivers' sentences.
public struct SentenceOutput: Hashable, Sendable {
    /// The way in which sentences are sent.
    public enum Destination: Hashable, Sendable {
        /// To clients that connect by TCP or to a Unix socket.
        case clients(ListenAddress)
        /// As datagrams to a host, a broadcast address or a multicast group.
        case datagrams(host: String, port: UInt16)
        /// To a pseudo terminal with a symbolic link.
        case terminal(link: String)
    }

    /// The port at which programs expect sentences.
    public static let port: UInt16 = 10110

    /// The way in which sentences are sent.
    public var destination: Destination
    /// The formatters of the sentences to send; `nil` for all.
    public var formatters: Set<String>?

    /// Creates an output.
    public init(_ destination: Destination, formatters: Set<String>? = nil) {
        self.destination = destination
        self.formatters = formatters
    }

    /// Parses `ADDRESS`, `udp://HOST:PORT` or `pty:LINK`, optionally followed by `=GGA,RMC`.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.first.map(String.init) ?? ""
        if parts.count == 2 {
            let formatters = parts[1].split(separator: ",").map { $0.uppercased() }
            guard !formatters.isEmpty, formatters.allSatisfy({ $0.utf8.count == 3 }) else {
                return nil
            }
            self.formatters = Set(formatters)
        }
        if place.hasPrefix("pty:") {
            let link = String(place.dropFirst("pty:".count))
            guard !link.isEmpty else { return nil }
            destination = .terminal(link: link)
        } else if place.hasPrefix("udp://") {
            let address = String(place.dropFirst("udp://".count))
            guard case .host(let host, let port)? = ListenAddress(address, defaultPort: Self.port)
            else { return nil }
            destination = .datagrams(host: host, port: port)
        } else {
            guard let address = ListenAddress(place, defaultPort: Self.port) else { return nil }
            destination = .clients(address)
        }
    }

    /// Returns whether a source would receive its own sentences back: it receives datagrams at the
    /// port to which this output sends them.
    func isLoop(for source: String) -> Bool {
        guard case .datagrams(_, let port) = destination else { return false }
        return source.hasPrefix("udp://") && source.hasSuffix(":\(port)")
    }
}
