// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// The addresses that a server has bound, by what it serves there.
package struct OpenAddresses: Sendable {
    package fileprivate(set) var gpsd: [ListenAddress] = []
    package fileprivate(set) var sentences: [ListenAddress] = []
    package fileprivate(set) var signalK: [ListenAddress] = []
    package fileprivate(set) var http: [ListenAddress] = []
}

extension ReceiverServer {
    /// Uses the sockets that systemd has opened, and binds the configured addresses. When the
    /// method returns, clients can connect; `run()` serves them. The default address of gpsd's
    /// protocol is not bound if systemd has opened sockets for this protocol.
    ///
    /// An address is not bound if one of systemd's sockets uses its port for another address. A
    /// warning is then logged.
    ///
    /// Throws a ``ServerError`` if an address cannot be bound, if the CAN interface cannot be used,
    /// if a source is one of the server's own addresses, or if pages are configured and
    /// libmicrohttpd is not installed or does not start. Throws a `DeviceError` if a host is
    /// unknown or a pseudo terminal cannot be created.
    package func listen() async throws {
        if page != nil { try HTTPServer.load() }
        DescriptorLimit.raise()
        let sockets = try await gpsdSockets()
        state.withLock { $0.gpsd = sockets }
        let pages = try await pageSockets()
        let openCount = DescriptorLimit.openCount
        state.withLock { $0.openCount = openCount }
        try DescriptorLimit.check(
            kinds: 1 + pages.count, receivers: receivers.count, open: openCount)
        let limitWarning = limitClients(kinds: 1 + pages.count)
        state.withLock { $0.limitWarning = limitWarning }
        for (socket, access) in pages { try serve(on: socket, access) }
        try await openSentences()
        for address in configuration.signalK {
            let bound = try await ListeningSocket.listen(on: address)
            let access = access(isLocal: address.isLocal, at: address)
            state.withLock { $0.signalK += bound.map { ($0, access) } }
            note("serving Signal K at \(opened((address, bound), \.signalK))")
        }
        if let path = configuration.controlSocket {
            let socket = try ListeningSocket.listen(atOwn: path)
            state.withLock { $0.control.append(socket) }
            note("accepting commands to add and remove receivers at \(path)")
        }
        if let nmea2000 {
            try nmea2000.check()
            note("sending NMEA 2000 to \(nmea2000.interface)")
        }
        for source in receivers.flatMap(\.source.parts) where isServedHere(source) {
            throw ServerError(cannot: "read \(source.name)", errno: ELOOP)
        }
        if configuration.user != nil { try keepFilesRemovable() }
    }

    private func gpsdSockets() async throws -> [ListeningSocket] {
        let passed = activated.sockets(named: "gpsd", isDefault: true).map(\.socket)
        for socket in passed {
            note("serving gpsd's clients at \(socket.name), which systemd has opened")
        }
        let isOmitted = configuration.hasDefaultAddress && !passed.isEmpty
        let addresses = isOmitted ? [] : configuration.gpsd
        let opened = try await open(addresses, addingTo: passed)
        for server in opened { note("serving gpsd's clients at \(self.opened(server, \.gpsd))") }
        return passed + opened.flatMap(\.sockets)
    }

    private func pageSockets() async throws -> [(socket: ListeningSocket, access: HTTPAccess)] {
        let passed = activated.sockets(named: "http").map(\.socket)
        for socket in passed {
            note("serving the page at http://\(socket.name)/, which systemd has opened")
        }
        var pages: [(socket: ListeningSocket, access: HTTPAccess)] = passed.map { socket in
            let address = ListenAddress(socket.name, defaultPort: 0)
            return (socket, self.access(isLocal: socket.address?.isLocal == true, at: address))
        }
        for server in try await open(configuration.http, addingTo: passed) {
            let access = access(isLocal: server.address.isLocal, at: server.address)
            pages += server.sockets.map { ($0, access) }
            note("serving the page at \(access.page(at: opened(server, \.http)))")
        }
        return pages
    }

    /// Records an address that has been bound, and returns it with the port that it has.
    private func opened(
        _ server: ListeningSocket.Opened, _ kind: WritableKeyPath<OpenAddresses, [ListenAddress]>
    ) -> ListenAddress {
        let address = server.address.at(server.sockets)
        state.withLock { $0.openAddresses[keyPath: kind].append(address) }
        return address
    }

    private func openSentences() async throws {
        let passed = activated.sockets(named: "nmea")
        for (socket, argument) in passed {
            note("serving sentences at \(socket.name), which systemd has opened")
            // An output with the address of the socket is not opened, but selects its sentences.
            let output = configuration.sentences.first { output in
                guard case .clients(let address) = output.destination else { return false }
                return socket.serves(address)
            }
            var filter = filter(for: output)
            if output == nil, let argument {
                filter.formatters = SentenceOutput.formatters(of: argument)
                if filter.formatters == nil {
                    note("\(socket.name): not a list of sentences: '\(argument)'; sending all")
                }
            }
            state.withLock { $0.sentences.append((socket, filter)) }
        }
        for output in configuration.sentences {
            try await open(output, addingTo: passed.map(\.socket))
        }
    }

    /// Binds addresses, in addition to the sockets that systemd has opened.
    private func open(
        _ addresses: [ListenAddress], addingTo passed: [ListeningSocket]
    ) async throws -> [ListeningSocket.Opened] {
        let (opened, refused) = try await ListeningSocket.listen(on: addresses, addingTo: passed)
        for address in refused {
            let names = passed.map(\.name).joined(separator: ", ")
            log(
                "does not listen on \(address), because a socket of systemd (\(names)) uses its port: "
                    + "change ListenStream= in the socket unit, or choose another port",
                .warning)
        }
        return opened
    }

    /// Starts a process that keeps root's privileges, and removes the files of sockets and pseudo
    /// terminals when this process exits.
    private func keepFilesRemovable() throws(ServerError) {
        let paths = state.withLock { state in
            return state.sockets.compactMap(\.path) + state.terminals.compactMap(\.link)
        }
        guard !paths.isEmpty else { return }
        let removal = try FileRemoval(of: paths)
        state.withLock { $0.removal = removal }
    }

    /// Sets `clientLimit` so that enough descriptors remain for receivers. `kinds` is the number of
    /// groups of clients to which this limit applies separately. Returns a warning if the limit is
    /// new, and below the configured maximum.
    func limitClients(kinds: Int) -> String? {
        let wanted = configuration.maximumClientCount
        let open = state.withLock { $0.openCount }
        let limit = DescriptorLimit.clients(
            wanted, kinds: kinds, receivers: receivers.count, open: open)
        let former = state.withLock { exchange(&$0.clientLimit, with: limit) }
        guard limit < wanted, limit != former, let files = DescriptorLimit.count else { return nil }
        return
            "the server accepts at most \(Plural.text(limit, "client")) instead of \(wanted), "
            + "because this process may open only \(files) files: raise that limit (ulimit -n, "
            + "or LimitNOFILE= of a service), or give a lower --max-clients"
    }

    func note(_ address: String) {
        state.withLock { $0.addresses.append(address) }
    }

    /// Returns the access rules of an HTTP or Signal K socket. `isLocal` means that only this
    /// machine can reach it. `address` is the configured address or that of systemd's socket, if it
    /// is known.
    func access(isLocal: Bool, at address: ListenAddress?) -> HTTPAccess {
        HTTPAccess(
            isLocal: isLocal, address: address, hosts: configuration.page.hosts,
            token: configuration.page.token, wrongTokens: wrongTokens)
    }

    private func serve(on socket: ListeningSocket, _ access: HTTPAccess) throws(ServerError) {
        let limit = state.withLock { $0.clientLimit }
        let server = try HTTPServer(
            socket, connectionLimit: limit, requestTimeout: configuration.requestTimeout)
        state.withLock { $0.http.append((socket, server, access)) }
    }

    /// Returns whether a source connects to one of this server's own ports on this machine.
    func isServedHere(_ source: any DeviceSource) -> Bool {
        guard let server = source.endpoint else { return false }
        let sockets = state.withLock { $0.gpsd + $0.sentences.map(\.socket) }
            .filter { $0.port == server.port }
        let host = server.host.lowercased()
        if host == "localhost" || ListenAddress.isLoopback(host)
            || ["0.0.0.0", "::"].contains(host)
        {
            return sockets.contains(where: \.isOnLoopback)
        }
        // The machine's other addresses reach the sockets that other machines can reach, too.
        return sockets.contains { $0.address?.isLocal == false }
            && (HTTPAccess.ownNames.contains(host) || SocketAddress.ownHosts.contains(host))
    }

    private func open(
        _ output: SentenceOutput, addingTo passed: [ListeningSocket]
    ) async throws {
        let filter = filter(for: output)
        switch output.destination {
        case .clients(let address):
            for server in try await open([address], addingTo: passed) {
                for socket in server.sockets {
                    state.withLock { $0.sentences.append((socket, filter)) }
                }
                note("serving sentences at \(opened(server, \.sentences))")
            }
        case .datagrams(let host, let port):
            let sender = try await DatagramSender(host: host, port: port, log: log)
            // Any name may refer to this machine. Only its address shows that.
            let resolved = SentenceOutput(.datagrams(host: sender.host ?? host, port: port))
            state.withLock { $0.datagrams.append(resolved) }
            var filter = filter
            filter.excludedDevices.formUnion(self.filter(for: resolved).excludedDevices)
            hub.set(filter, for: sender)
            note("sending sentences to udp://\(ListenAddress.host(host, port: port))")
        case .terminal(let link):
            let writer = try PseudoTerminal.output(link: link)
            state.withLock { $0.terminals.append(writer) }
            hub.set(filter, for: writer)
            note("sending sentences to pty:\(link)")
        }
    }

    /// Returns the filter of a sentence output. `nil` returns the filter that selects all
    /// sentences.
    private func filter(for output: SentenceOutput?) -> ReportFilter {
        var filter = ReportFilter()
        filter.sentences = true
        filter.formatters = output?.formatters
        filter.excludedDevices = Set(
            receivers.map(\.source).filter { source in
                source.parts.contains { output?.isLoop(for: $0.name) == true }
            }.map(\.name))
        return filter
    }
}

extension ReceiverServer {
    /// Performs a command from the control socket. Returns gpsd's reply, `OK` or `ERROR`. `command`
    /// is `nil` if the client's command was malformed. The reason for an error is logged.
    func perform(_ command: DeviceCommand?) async -> String {
        var list = ""
        do {
            switch command {
            case .add(let name):
                try await add(source(name))
                configuration.controlChange(receivers.map(\.source))
            case .remove(let name):
                try await remove(receiver(named: name, to: "remove"))
                configuration.controlChange(receivers.map(\.source))
            case .write(let text, let isHexadecimal):
                let names = receivers.flatMap { [$0.device.path, $0.source.name] }
                let (name, content) = DeviceCommand.divide(text, names: names)
                let receiver = try await receiver(named: name, to: "write to")
                let digits =
                    isHexadecimal ? String(content) : Hexadecimal.text(content.utf8)
                let change = try ReceiverChange(
                    device: ["hexdata": .string(digits)], of: receiver.device)
                let answer = await receiver.perform(change) { _ in }
                guard answer.starts(with: ControlReports.acknowledgement) else {
                    throw ReceiverChange.Refusal(message: ControlReports.message(of: answer))
                }
            case .list: list = receivers.map { "\($0.device.path)\n" }.joined()
            case nil: throw ServerError(cannot: "read a command", errno: EINVAL)
            }
        } catch {
            log("control socket: \(error)", .error)
            return "ERROR\n"
        }
        return "\(list)OK\n"
    }

    /// Returns the receiver with this path or name, or the one that reads the source of this name.
    /// `action` is the verb for the error message, such as `remove`.
    private func receiver(
        named name: String, to action: String
    ) async throws(ServerError) -> ServedReceiver {
        let named = receivers.first { $0.device.path == name || $0.source.name == name }
        if let named { return named }
        // `gpsd://boat` is also `gpsd://boat:2947`, and a tty may have several links. If this is not
        // a source, there is no such receiver.
        guard let given = try? await source(name),
            let same = receivers.first(where: {
                $0.source.identity == given.identity || $0.source.readsSame(as: given)
            })
        else { throw ServerError(cannot: "\(action) \(name)", errno: ENODEV) }
        return same
    }

    private func source(_ name: String) async throws -> any DeviceSource {
        // Examining the source may wait for a slow disk.
        try await BackgroundExecutor.run { try configuration.controlSource(name) }
    }
}
