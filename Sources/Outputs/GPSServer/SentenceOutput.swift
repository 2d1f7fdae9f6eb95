// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc

/// A destination to which the receivers' sentences are sent.
public struct SentenceOutput: Hashable, Sendable {
    /// The transport and address of an output.
    public enum Destination: Hashable, Sendable {
        /// Clients connect to this TCP address or Unix socket and receive sentences.
        case clients(ListenAddress)
        /// UDP datagrams are sent to a host, a broadcast address or a multicast group.
        case datagrams(host: String, port: UInt16)
        /// Programs open a pseudo terminal by the symbolic link at this path.
        case terminal(link: String)
    }

    /// The default port, 10110, registered for NMEA 0183 sentences.
    public static let port: UInt16 = 10110

    /// The transport and address.
    public var destination: Destination
    /// The formatters of the sentences to send; `nil` for all.
    public var formatters: Set<String>?

    /// Creates an output for the given formatters, or for all sentences.
    public init(_ destination: Destination, formatters: Set<String>? = nil) {
        self.destination = destination
        self.formatters = formatters
    }

    /// Parses `ADDRESS`, `udp://HOST:PORT` or `pty:LINK`, optionally followed by formatters such as
    /// `=GGA,RMC`. Returns `nil` if the text is not valid.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first.map(String.init) ?? ""
        if parts.count == 2 {
            let formatters = parts[1].split(separator: ",").map { $0.uppercased() }
            guard !formatters.isEmpty, formatters.allSatisfy({ $0.utf8.count == 3 }) else {
                return nil
            }
            self.formatters = Set(formatters)
        }
        if target.hasPrefix("pty:") {
            let link = String(target.dropFirst("pty:".count))
            guard !link.isEmpty else { return nil }
            destination = .terminal(link: link)
        } else if target.hasPrefix("udp://") {
            let address = String(target.dropFirst("udp://".count))
            switch ListenAddress(address, defaultPort: Self.port) {
            case .host(let host, let port)?: destination = .datagrams(host: host, port: port)
            // A port alone also means loopback, but it does not name a host.
            case .loopback(let port)? where address.hasPrefix("localhost"):
                destination = .datagrams(host: "127.0.0.1", port: port)
            default: return nil
            }
        } else {
            guard let address = ListenAddress(target, defaultPort: Self.port) else { return nil }
            destination = .clients(address)
        }
    }

    /// Returns whether the source with this name would read the sentences that this output sends:
    /// from the same UDP port, if the output's host can be this machine, or from the output's
    /// pseudo terminal.
    func isLoop(for source: String) -> Bool {
        switch destination {
        case .clients: false
        case .datagrams(let host, let port):
            source.hasPrefix("udp://") && source.hasSuffix(":\(port)")
                && Self.reach(source: source, host: host)
        case .terminal(let link): SourceIdentity(path: source) == SourceIdentity(path: link)
        }
    }

    /// Returns whether datagrams to a host can reach a UDP source with the same port. A name of
    /// this machine is recognized only if it is its host name.
    private static func reach(source: String, host: String) -> Bool {
        guard let address = numeric(host) else {
            let host = host.lowercased()
            return host == "localhost" || HTTPAccess.ownNames.contains(host)
        }
        let local = HostPort.split(source.dropFirst("udp://".count))?.host
        // A source without a host receives the datagrams to all addresses.
        guard let local, let bound = numeric(String(local))?.host,
            !["0.0.0.0", "::"].contains(bound)
        else {
            return address.reachesThisMachine
        }
        // Linux sends datagrams to an unspecified address to the loopback address.
        let loopbacks = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        return bound == address.host.map { loopbacks[$0] ?? $0 }
    }

    /// Returns the address of a numeric host; `nil` for a name.
    private static func numeric(_ host: String) -> SocketAddress? {
        let addresses = try? SocketAddress.addresses(of: host, port: 0, flags: AI_NUMERICHOST)
        return addresses?.first
    }
}
