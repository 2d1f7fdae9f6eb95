// SPDX-License-Identifier: MIT

/// A place that a receiver's sentences are sent to.
public struct SentenceOutput: Hashable, Sendable {
    /// How they get there.
    public enum Destination: Hashable, Sendable {
        /// Clients connect by TCP or to a Unix socket.
        case clients(ListenAddress)
        /// Datagrams to a host, a broadcast address or a multicast group.
        case datagrams(host: String, port: UInt16)
        /// A pseudo terminal that a link leads to.
        case terminal(link: String)
    }

    /// The port that programs expect sentences at.
    public static let port: UInt16 = 10110

    /// How they get there.
    public var destination: Destination
    /// Only sentences with these formatters; `nil` for all.
    public var formatters: Set<String>?

    /// Creates an output.
    public init(_ destination: Destination, formatters: Set<String>? = nil) {
        self.destination = destination
        self.formatters = formatters
    }

    /// Parses `ADDRESS`, `udp://HOST:PORT` or `pty:LINK`, each optionally followed by `=GGA,RMC`.
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

    /// The sources whose sentences must not go there, as they would come back from there: those that
    /// receive datagrams at the port that datagrams are sent to.
    func isLoop(for source: String) -> Bool {
        guard case .datagrams(_, let port) = destination else { return false }
        return source.hasPrefix("udp://") && source.hasSuffix(":\(port)")
    }
}
