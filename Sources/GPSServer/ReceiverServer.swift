// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
public import GPSReceivers
import Glibc
import Synchronization

/// Serves receivers to programs that speak gpsd's protocol.
///
/// ```swift
/// let server = ReceiverServer(sources: [SerialSource("/dev/ttyACM0")])
/// try await server.listen()
/// await server.run()
/// ```
///
/// The polling thread reads receivers, sets clocks and sends reports; another thread answers
/// clients. Neither waits for a client.
public final class ReceiverServer: Sendable {
    private struct State {
        var gpsd: [ListeningSocket] = []
        /// The sockets for clients that receive only sentences, and the sentences to send.
        var sentences: [(socket: ListeningSocket, filter: ReportFilter)] = []
        var terminals: [TerminalWriter] = []
        var http: [(socket: ListeningSocket, server: HTTPServer, access: HTTPAccess)] = []
        /// Removes socket files after the process has given up its rights.
        var removal: FileRemoval?
        /// Descriptions of the services and their addresses.
        var addresses: [String] = []
        var clientCount = 0
        /// The limit of clients of gpsd's protocol and of sentences together, and of each HTTP
        /// socket.
        var clientLimit = 0
        /// The number of report chunks dropped for clients that have disconnected.
        var droppedCount = 0
        var wasFull = false
    }

    private let configuration: ServerConfiguration
    private let activated = ActivatedSockets.own
    private let log: @Sendable (String) -> Void
    private let hub: ReportHub
    private let clocks: ClockOutput
    private let budget = OutputBudget()
    private let devices: ServedDevices
    private let receivers: [ServedReceiver]
    private let poller: Poller
    /// The live page; `nil` if HTTP only serves metrics.
    private let page: LivePage?
    private let wrongTokens: WrongTokens
    private let state = Mutex(State())

    /// Creates a server of receivers; `log` is called with messages for the operator.
    ///
    /// Throws if a clock cannot be written to, or a tile archive cannot be read.
    public convenience init(
        sources: [any DeviceSource], configuration: ServerConfiguration = ServerConfiguration(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        try self.init(sources: sources, configuration: configuration, pool: .shared, log: log)
    }

    /// Creates a server whose receivers are read on a pool's thread.
    package init(
        sources: [any DeviceSource], configuration: ServerConfiguration, pool: ReceiverPool,
        log: @escaping @Sendable (String) -> Void
    ) throws {
        poller = pool.poller
        self.configuration = configuration
        self.log = log
        wrongTokens = WrongTokens(now: { [poller] in poller.now }, log: log)
        let hub = ReportHub()
        self.hub = hub
        let clocks = try ClockOutput(
            configuration.clocks, keepsRights: configuration.user != nil, log: log)
        self.clocks = clocks
        try clocks.start()
        let devices = ServedDevices()
        self.devices = devices
        let titles = OutputSource.titles(
            of: sources.map { OutputSource(name: $0.name, origin: $0.origin) })
        receivers = zip(sources, titles).map { source, title in
            ServedReceiver(
                source, hub: hub, clocks: clocks, devices: devices,
                journals: configuration.allowsControl ? configuration.journals : nil,
                isAlone: sources.count == 1, user: configuration.user, title: title, pool: pool,
                log: log)
        }
        page =
            configuration.http.isEmpty && activated.descriptors["http"] == nil
            ? nil
            : try LivePage(
                sources: sources, titles: titles, configuration: configuration.page, pool: pool)
    }

    /// Binds the addresses, or uses the sockets that systemd has opened. Clients can connect once
    /// this has returned.
    ///
    /// Throws a ``ServerError`` if an address can be bound neither for IPv4 nor for IPv6, or if
    /// pages are configured and libmicrohttpd is not installed or does not start.
    public func listen() async throws {
        if page != nil { try HTTPServer.load() }
        DescriptorLimit.raise()
        var sockets = activated.sockets(named: "gpsd", isDefault: true)
        for socket in sockets {
            note("serving gpsd's clients at \(socket.name), which systemd has opened")
        }
        if sockets.isEmpty {
            for address in configuration.gpsd {
                let bound = try await ListeningSocket.listen(on: address)
                sockets += bound
                note("serving gpsd's clients at \(address.at(bound))")
            }
        }
        state.withLock { $0.gpsd = sockets }
        var pages: [(socket: ListeningSocket, isLocal: Bool)] = []
        for socket in activated.sockets(named: "http") {
            pages.append((socket, socket.address?.isLocal == true))
            note("serving the page at http://\(socket.name)/, which systemd has opened")
        }
        if pages.isEmpty {
            for address in configuration.http {
                let bound = try await ListeningSocket.listen(on: address)
                pages += bound.map { ($0, address.isLocal) }
                let access = access(isLocal: address.isLocal)
                note("serving the page at \(access.page(at: address.at(bound)))")
            }
        }
        limitClients(kinds: 1 + pages.count)
        for (socket, isLocal) in pages { try serve(on: socket, isLocal: isLocal) }
        for socket in activated.sockets(named: "nmea") {
            note("serving sentences at \(socket.name), which systemd has opened")
            state.withLock { $0.sentences.append((socket, filter(for: nil))) }
        }
        for output in configuration.sentences { try await open(output) }
        for source in receivers.flatMap(\.source.parts) where isServedHere(source) {
            throw ServerError("cannot read \(source.name)", errno: ELOOP)
        }
        if configuration.user != nil { try keepFilesRemovable() }
    }

    /// Starts a process that keeps root's rights and removes the files of sockets and terminals at
    /// exit.
    private func keepFilesRemovable() throws(ServerError) {
        let paths = state.withLock { state in
            let sockets = state.gpsd + state.sentences.map(\.socket) + state.http.map(\.socket)
            return sockets.compactMap(\.path) + state.terminals.compactMap(\.link)
        }
        guard !paths.isEmpty else { return }
        let removal = try FileRemoval(of: paths)
        state.withLock { $0.removal = removal }
    }

    /// Limits the clients so that descriptors for receivers remain.
    private func limitClients(kinds: Int) {
        let wanted = configuration.maximumClientCount
        let limit = DescriptorLimit.clients(wanted, kinds: kinds, receivers: receivers.count)
        state.withLock { $0.clientLimit = limit }
        guard limit < wanted, let files = DescriptorLimit.count else { return }
        log(
            "at most \(limit) clients instead of \(wanted), since this process may open \(files) files: raise "
                + "that limit (ulimit -n, or LimitNOFILE= of a service), or give --max-clients")
    }

    private func note(_ address: String) {
        state.withLock { $0.addresses.append(address) }
    }

    /// Returns the access rules of an HTTP socket.
    private func access(isLocal: Bool) -> HTTPAccess {
        HTTPAccess(
            isLocal: isLocal, hosts: configuration.page.hosts, token: configuration.page.token,
            wrongTokens: wrongTokens)
    }

    /// Serves pages on a socket.
    private func serve(on socket: ListeningSocket, isLocal: Bool) throws(ServerError) {
        let limit = state.withLock { $0.clientLimit }
        let server = try HTTPServer(
            socket, connectionLimit: limit, requestTimeout: configuration.requestTimeout)
        state.withLock { $0.http.append((socket, server, access(isLocal: isLocal))) }
    }

    /// Returns whether a source is one of this server's own addresses.
    private func isServedHere(_ source: any DeviceSource) -> Bool {
        guard let server = source.endpoint else { return false }
        let (host, port) = (server.host, server.port)
        let ports = state.withLock { state in
            (state.gpsd + state.sentences.map(\.socket)).compactMap(\.port)
        }
        return ["localhost", "::1"].contains(host) || host.hasPrefix("127.")
            ? ports.contains(port) : false
    }

    private func open(_ output: SentenceOutput) async throws {
        let filter = filter(for: output)
        switch output.destination {
        case .clients(let address):
            let sockets = try await ListeningSocket.listen(on: address)
            for socket in sockets { state.withLock { $0.sentences.append((socket, filter)) } }
            note("serving sentences at \(address.at(sockets))")
        case .datagrams(let host, let port):
            hub.set(filter, for: try await DatagramSender(host: host, port: port))
            note("sending sentences to udp://\(ListenAddress.host(host, port: port))")
        case .terminal(let link):
            let writer = try TerminalWriter(link: link)
            state.withLock { $0.terminals.append(writer) }
            hub.set(filter, for: writer)
            note("sending sentences to pty:\(link)")
        }
    }

    /// Returns the filter of a sentence output, or the default filter.
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

    /// The port of gpsd's protocol; `nil` if there is none.
    public var port: UInt16? { state.withLock { $0.gpsd.lazy.compactMap(\.port).first } }

    /// The port of the first socket for sentences; `nil` if there is none.
    public var sentencePort: UInt16? {
        state.withLock { $0.sentences.lazy.compactMap(\.socket.port).first }
    }

    /// The port of the first HTTP socket; `nil` if there is none.
    public var httpPort: UInt16? { state.withLock { $0.http.lazy.compactMap(\.socket.port).first } }

    /// Descriptions of the services and their addresses, for the operator.
    public var addresses: [String] { state.withLock { $0.addresses } }

    /// The number of connected clients.
    public var clientCount: Int { state.withLock { $0.clientCount } }

    /// Serves until the task is cancelled, and then disconnects every client.
    public func run() async {
        await withTaskExecutorPreference(poller) {
            hub.observeInterest { [receivers] sentences, bytes in
                for receiver in receivers {
                    receiver.setInterest(sentences: sentences, bytes: bytes)
                }
            }
            for receiver in receivers { receiver.start() }
            let (sockets, sentences, terminals, http) = state.withLock {
                ($0.gpsd, $0.sentences, $0.terminals, $0.http)
            }
            await withDiscardingTaskGroup { group in
                group.addTask { await self.hub.run() }
                for socket in sockets {
                    group.addTask(executorPreference: Poller.clients) {
                        await self.accept(from: socket) { connection in
                            await GPSDClient(
                                connection, hub: self.hub, control: self.control
                            ) { self.snapshot }.serve()
                        }
                    }
                }
                for (socket, filter) in sentences {
                    group.addTask(executorPreference: Poller.clients) {
                        await self.accept(from: socket) { connection in
                            await SentenceClient(connection).serve(filter, from: self.hub)
                        }
                    }
                }
                if let page { group.addTask { await page.run() } }
                for (_, server, access) in http {
                    group.addTask(executorPreference: Poller.clients) {
                        await server.run { self.answer($0, access) }
                    }
                }
            }
            for socket in sockets + sentences.map(\.socket) + http.map(\.socket) { socket.close() }
            for terminal in terminals { terminal.close() }
            for receiver in receivers { receiver.stop() }
            await state.withLock { $0.removal }?.finish()
        }
    }

    /// Closes and reopens the receivers, for example after a change of their settings. Clients stay
    /// connected.
    public func reopen() {
        log("the receivers are closed and opened again")
        for receiver in receivers { receiver.reopen() }
    }

    /// Changes a receiver for a client; `nil` if clients may not change receivers.
    private var control: GPSDClient.Control? {
        guard configuration.allowsControl else { return nil }
        return { [receivers] change, send in
            guard let receiver = receivers.first(where: { $0.device.path == change.path }) else {
                return ControlReports.error("Can't open \(change.path).")
            }
            return await receiver.perform(change, send)
        }
    }

    /// Accepts clients until the task is cancelled, and serves each in a child task.
    private func accept(
        from socket: ListeningSocket,
        _ serve: @escaping @Sendable (ClientConnection) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            while let descriptor = await nextConnection(of: socket) {
                // Let tasks of connected clients run between two new connections.
                await Task.yield()
                let connection = ClientConnection(descriptor, budget: budget)
                guard admit() else {
                    connection.send(kept: ControlReports.error("Too many clients."))
                    connection.close()
                    continue
                }
                // A lower priority than new connections and data queued for slow clients.
                group.addTask(priority: .utility) {
                    await serve(connection)
                    let dropped = connection.droppedCount
                    self.state.withLock { state in
                        state.clientCount -= 1
                        state.droppedCount += dropped
                    }
                    if dropped > 0 { self.log("a slow client has lost \(dropped) reports") }
                }
            }
        }
    }

    /// Returns the next connection; `nil` once the socket is closed, on cancellation, or after an
    /// error, which is logged. Connected clients stay.
    private func nextConnection(of socket: ListeningSocket) async -> Descriptor? {
        do throws(IOError) {
            return try await socket.accept()
        } catch {
            let error = ServerError("cannot accept connections", errno: error.errno)
            log("\(error): new clients are not served any more")
            return nil
        }
    }

    private func answer(_ request: borrowing HTTPRequest, _ access: HTTPAccess) -> HTTPAnswer {
        switch request.path {
        case "/metrics", "/health":
            // These have no position, so on a public address they may be requested under any host
            // name.
            if access.isLocal, let refusal = access.refusal(of: request) { return refusal }
            let answer = request.path == "/health" ? health : metrics(request, access)
            return answer.adding("Cache-Control", "no-store")
                .adding("Content-Security-Policy", "default-src 'none'")
        default:
            return page?.answer(request, access)
                ?? HTTPAnswer(status: 404, text: "/, /metrics and /health are here\n")
        }
    }

    private func metrics(_ request: borrowing HTTPRequest, _ access: HTTPAccess) -> HTTPAnswer {
        var server = ServerMetrics()
        let (clients, dropped) = state.withLock { ($0.clientCount, $0.droppedCount) }
        server.clients = [("all", clients), ("page", page?.viewerCount ?? 0)]
        server.droppedCount = dropped
        server.clocks = clocks.metrics
        server.version = GPSDConversation.serverName
        // Before the count is read, since it may add this request's wrong token.
        let hasToken = access.hasToken(request)
        server.wrongTokenCount = access.token == nil ? nil : wrongTokens.count
        return MetricsText.page(
            receivers.map(\.metrics), server, accept: request.header("Accept") ?? "",
            hasMotion: hasToken)
    }

    private var health: HTTPAnswer {
        let metrics = receivers.map(\.metrics)
        let up = metrics.count(where: \.device.isActive)
        let fixes = metrics.count { $0.device.mode > .noFix }
        return HTTPAnswer(
            status: up > 0 ? 200 : 503,
            text: "\(up) of \(metrics.count) receivers, \(fixes) with a fix\n")
    }

    /// Counts a client; returns `false` if the limit is reached.
    private func admit() -> Bool {
        let (isAdmitted, isNews, limit) = state.withLock { state in
            let isFull = state.clientCount >= state.clientLimit
            defer { state.wasFull = isFull }
            if !isFull { state.clientCount += 1 }
            return (!isFull, isFull && !state.wasFull, state.clientLimit)
        }
        if isNews { log("\(limit) clients: more are turned away") }
        return isAdmitted
    }

    private var snapshot: ServerSnapshot {
        devices.snapshot { receivers.map(\.device).filter(\.hasBeenOpened) }
    }
}
