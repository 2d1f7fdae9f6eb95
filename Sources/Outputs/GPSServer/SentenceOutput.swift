// SPDX-License-Identifier: MIT
package import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// A destination to which the receivers' sentences are sent.
package struct SentenceOutput: Hashable, Sendable {
    /// The transport and address of an output.
    package enum Destination: Hashable, Sendable {
        /// Clients connect to this TCP address or Unix socket and receive sentences.
        case clients(ListenAddress)
        /// UDP datagrams are sent to a host, a broadcast address or a multicast group.
        case datagrams(host: String, port: UInt16)
        /// Programs open a pseudo terminal by the symbolic link at this path.
        case terminal(link: String)
    }

    /// The default port, 10110, registered for NMEA 0183 sentences.
    package static let port: UInt16 = 10110

    /// The transport and address.
    package var destination: Destination
    /// The formatters of the sentences to send; `nil` for all.
    var formatters: Set<String>?

    package init(_ destination: Destination, formatters: Set<String>? = nil) {
        self.destination = destination
        self.formatters = formatters
    }

    /// Parses `ADDRESS`, `udp://HOST:PORT` or `pty:LINK`, optionally followed by formatters such as
    /// `=GGA,RMC`. Returns `nil` if the text is not valid.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first.map(String.init) ?? ""
        if parts.count == 2 {
            guard let formatters = Self.formatters(of: parts[1]) else { return nil }
            self.formatters = formatters
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

    /// Parses formatters, such as `GGA,RMC`. Returns `nil` if the text is not valid.
    static func formatters(of text: Substring) -> Set<String>? {
        let formatters = text.split(separator: ",").map { $0.uppercased() }
        guard !formatters.isEmpty, formatters.allSatisfy({ $0.utf8.count == 3 }) else { return nil }
        return Set(formatters)
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

/// Sends complete sentences in UDP datagrams. Datagrams that cannot be sent immediately are lost.
/// The first failure, for example without a network, and the first success after it are logged.
final class DatagramSender: ReportRecipient {
    /// The maximum size of a datagram in bytes, unless a single sentence is longer. Larger
    /// datagrams would be fragmented on some networks.
    private static let maximumSize = 1400

    private let descriptor: Descriptor
    private let address: SocketAddress
    private let name: String
    private let log: MessageLog
    private let hasFailed = Atomic(false)

    /// Resolves the host and creates a socket. Broadcasts and multicasts reach only the local
    /// network.
    ///
    /// Throws an error if the host is unknown, and a ``ServerError`` if no socket can be created.
    init(host: String, port: UInt16, log: MessageLog) async throws {
        name = Self.name(host, port)
        self.log = log
        let lookup = HostLookup(host: host, port: port, name: name)
        guard let address = try await lookup.find(passive: false).first,
            let descriptor = address.socket(SOCK_DGRAM)
        else { throw ServerError(cannot: "send to \(name)", errno: EADDRNOTAVAIL) }
        self.address = address
        self.descriptor = descriptor
        _ = descriptor.use { SocketOption.set($0, SOL_SOCKET, SO_BROADCAST) }
    }

    /// Throws a `DeviceError` if the host is unknown. Blocks until a name server answers.
    static func check(host: String, port: UInt16) throws {
        try HostLookup(host: host, port: port, name: name(host, port)).check(passive: false)
    }

    private static func name(_ host: String, _ port: UInt16) -> String {
        "udp://\(ListenAddress.host(host, port: port))"
    }

    /// The numeric host to which datagrams are sent.
    var host: String? { address.host }

    func send(reports: [UInt8]) {
        for datagram in Self.datagrams(reports) {
            let error = descriptor.use { fd -> CInt in
                address.use { address, length -> CInt in
                    datagram.withUnsafeBytes {
                        sendto(fd, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT), address, length)
                            < 0 ? errno : 0
                    }
                } ?? 0
            }
            // A full buffer is not a failure.
            if let error, ![EAGAIN, ENOBUFS, EINTR].contains(error) { note(error) }
        }
    }

    /// Logs a failure after a success, or a success after a failure. `error` is an `errno`, or 0
    /// for success.
    private func note(_ error: CInt) {
        let hasChanged = hasFailed.exchange(error != 0, ordering: .relaxed) != (error != 0)
        guard hasChanged else { return }
        if error == 0 {
            log("sending sentences to \(name) again")
        } else {
            log("\(ServerError(cannot: "send to \(name)", errno: error))", .warning)
        }
    }

    /// Splits lines into datagrams of at most `maximumSize` bytes, at the ends of lines.
    private static func datagrams(_ lines: [UInt8]) -> [ArraySlice<UInt8>] {
        var datagrams: [ArraySlice<UInt8>] = []
        var start = lines.startIndex
        var end = start
        while end < lines.endIndex {
            let lineEnd = lines[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.endIndex
            if lineEnd - start > maximumSize, end > start {
                datagrams.append(lines[start..<end])
                start = end
            }
            end = lineEnd
        }
        if start < end { datagrams.append(lines[start..<end]) }
        return datagrams
    }
}

/// Sends sentences through a pseudo terminal, for programs that support only serial lines. If the
/// tty's buffer of about 12 KB is full because the reader is slow, sentences are lost.
extension PseudoTerminal: ReportRecipient {
    /// Creates a pseudo terminal with a symbolic link at `link`. Throws a `DeviceError` if no
    /// terminal is available or a file exists at `link`, and a ``ServerError`` if the link cannot
    /// be created.
    static func output(link: String) throws -> PseudoTerminal {
        do throws(IOError) {
            return try PseudoTerminal(link: link)
        } catch {
            guard error.operation == .link, error.errno != EEXIST else { throw DeviceError(error) }
            throw ServerError(cannot: "create the link \(link)", errno: error.errno)
        }
    }

    package func send(reports: [UInt8]) { writeAtOnce(reports) }
}
