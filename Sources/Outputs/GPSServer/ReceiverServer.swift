// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
package import GPSReceivers
import Glibc
import Synchronization

/// Serves receivers to programs that use gpsd's protocol, and to the other clients and outputs of a
/// ``ServerConfiguration``.
///
/// ```swift
/// let server = ReceiverServer(sources: [SerialSource("/dev/ttyACM0")])
/// try await server.listen()
/// await server.run()
/// ```
///
/// The polling thread reads receivers, sends their time to clock services, and sends reports.
/// Another thread answers clients. Neither thread waits for a client.
package final class ReceiverServer: Sendable {
    struct State {
        var gpsd: [ListeningSocket] = []
        /// The warning about the number of clients, which follows the addresses.
        var limitWarning: String?
        /// The sockets whose clients receive only sentences, and the filter of each socket.
        var sentences: [(socket: ListeningSocket, filter: ReportFilter)] = []
        /// The sockets for Signal K clients, and the access rules for WebSockets on them.
        var signalK: [(socket: ListeningSocket, access: HTTPAccess)] = []
        /// The outputs that send datagrams, with numeric hosts.
        var datagrams: [SentenceOutput] = []
        var terminals: [PseudoTerminal] = []
        /// The socket for gpsd's control protocol, which adds and removes receivers.
        var control: [ListeningSocket] = []
        var http: [(socket: ListeningSocket, server: HTTPServer, access: HTTPAccess)] = []
        var sockets: [ListeningSocket] {
            gpsd + sentences.map(\.socket) + signalK.map(\.socket) + control + http.map(\.socket)
        }
        /// Removes the files of sockets and pseudo terminals when the server ends, with root's
        /// privileges; `nil` if the process keeps its user or has no such files.
        var removal: FileRemoval?
        /// The running services with their addresses, for display: `serving sentences at *:10110`.
        var addresses: [String] = []
        /// The addresses that have been bound.
        var openAddresses = OpenAddresses()
        /// The connected clients, except those of HTTP sockets.
        var clients: [ObjectIdentifier: ClientConnection] = [:]
        /// The maximum number of `clients`, and of the connections to each HTTP socket.
        var clientLimit = 0
        /// The number of open descriptors before there were clients and open receivers.
        var openCount = 0
        /// The number of report chunks dropped for slow clients that have since disconnected.
        var formerDroppedCount = 0
        var wasFull = false
    }

    let configuration: ServerConfiguration
    let activated = ActivatedSockets.own
    let log: MessageLog
    let hub: ReportHub
    private let clocks: ClockOutput
    let nmea2000: NMEA2000Output?
    private let budget = OutputBudget()
    private let served = ServedReceivers()
    let changes = SourceChanges()
    private let pool: ReceiverPool
    private let poller: Poller
    /// The live page; `nil` if HTTP serves only metrics.
    let page: LivePage?
    let wrongTokens: WrongTokens
    let state = Mutex(State())

    /// Creates a server that reads receivers from `sources`. Calls `log` with messages for the
    /// operator.
    ///
    /// Throws an error if a clock service cannot be used or a tile archive cannot be read.
    package convenience init(
        sources: [any DeviceSource], configuration: ServerConfiguration = ServerConfiguration(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        try self.init(
            sources: sources, configuration: configuration,
            messages: MessageLog { text, _ in log(text) })
    }

    /// Creates a server whose receivers are read on the thread of `pool`. `log` receives each
    /// message with its level.
    package init(
        sources: [any DeviceSource], configuration: ServerConfiguration,
        pool: ReceiverPool = .shared, messages log: MessageLog
    ) throws {
        self.pool = pool
        poller = pool.poller
        if let user = configuration.user { pool.describe = { ServedReceiver.text($0, user) } }
        self.configuration = configuration
        self.log = log
        wrongTokens = WrongTokens(now: { [poller] in poller.now }) { log($0, .warning) }
        let hub = ReportHub()
        self.hub = hub
        let clocks = try ClockOutput(
            configuration.clocks, keepsRights: configuration.user != nil
        ) { log($0) }
        self.clocks = clocks
        try clocks.start()
        nmea2000 = configuration.nmea2000.map {
            NMEA2000Output(
                $0, log: log, open: configuration.openCAN, watch: configuration.watchInterfaces)
        }
        page =
            configuration.http.isEmpty && activated.descriptors["http"] == nil
            ? nil : try LivePage(served, sources.count, configuration.page, pool.poller)
        replaceReceivers(by: sources.map { $0.read(by: hub.chain) })
    }

    /// The port of the first socket for gpsd's protocol; `nil` if there is none.
    package var port: UInt16? { state.withLock { $0.gpsd.compactMap(\.port).first } }

    /// The port of the first socket for sentences; `nil` if there is none.
    package var sentencePort: UInt16? {
        state.withLock { $0.sentences.compactMap(\.socket.port).first }
    }

    /// The port of the first HTTP socket; `nil` if there is none.
    package var httpPort: UInt16? { state.withLock { $0.http.compactMap(\.socket.port).first } }

    /// The port of the first Signal K socket; `nil` if there is none.
    package var signalKPort: UInt16? {
        state.withLock { $0.signalK.compactMap(\.socket.port).first }
    }

    /// One string for each service, with its address, for the operator: `serving sentences at
    /// *:10110`. Empty before `listen()`.
    package var addresses: [String] { state.withLock { $0.addresses } }

    /// The addresses that the server has bound, with the ports that they have.
    package var openAddresses: OpenAddresses { state.withLock { $0.openAddresses } }

    /// The number of connected clients, except those of HTTP sockets.
    package var clientCount: Int { state.withLock { $0.clients.count } }

    /// Serves until the task is cancelled. Then disconnects all clients, stops the receivers and
    /// removes the files of sockets. Call `listen()` first.
    package func run() async {
        await withTaskExecutorPreference(poller) {
            if let warning = state.withLock({ exchange(&$0.limitWarning, with: nil) }) {
                log(warning, .warning)
            }
            observeInterest()
            for receiver in receivers { receiver.start() }
            let state = state.withLock { $0 }
            await withDiscardingTaskGroup { group in
                group.addTask { await self.hub.run() }
                func accept(
                    from socket: ListeningSocket,
                    _ serve: @escaping @Sendable (ClientConnection) async -> Void
                ) {
                    group.addTask(executorPreference: Poller.clients) {
                        await self.accept(from: socket, serve)
                    }
                }
                for socket in state.gpsd {
                    accept(from: socket) { connection in
                        await GPSDClient(
                            connection, hub: self.hub, release: self.configuration.gpsdRelease,
                            control: self.control
                        ) {
                            self.snapshot
                        }.serve()
                    }
                }
                for (socket, filter) in state.sentences {
                    accept(from: socket) { await $0.serve(filter, from: self.hub) }
                }
                for (socket, access) in state.signalK {
                    accept(from: socket) { connection in
                        await SignalKClient(connection: connection, access: access)
                            .serve(from: self.hub)
                    }
                }
                for socket in state.control {
                    accept(from: socket) { connection in
                        await ControlClient(connection: connection).serve(self.perform)
                    }
                }
                if let nmea2000 {
                    group.addTask(executorPreference: Poller.clients) { await nmea2000.run() }
                }
                if let page { group.addTask { await page.run() } }
                for (_, server, access) in state.http {
                    group.addTask(executorPreference: Poller.clients) {
                        await server.run { self.answer($0, access) }
                    }
                }
            }
            for socket in state.sockets { socket.close() }
            for terminal in state.terminals { terminal.close() }
            let warmStarts = receivers.map { $0.endWarmStarts() }
            for receiver in receivers { receiver.stop() }
            for warmStart in warmStarts { await warmStart?.value }
            await state.removal?.finish()
        }
    }

    /// Closes and reopens all receivers, for example to apply new settings. Clients stay connected.
    package func reopen() {
        log("closing the receivers and opening them again")
        for receiver in receivers { receiver.session.reopen() }
    }

    /// The function that changes a receiver when a client requests it; `nil` if clients may not
    /// change receivers.
    private var control: GPSDClient.Control? {
        guard configuration.allowsControl else { return nil }
        return { [weak self] change, send in
            guard let receiver = self?.receivers.first(where: { $0.device.path == change.path })
            else {
                return ControlReports.error("Can't open \(change.path).")
            }
            return await receiver.perform(change, send)
        }
    }

    /// Accepts clients until the task is cancelled. Calls `serve` for each of them in a child task.
    private func accept(
        from socket: ListeningSocket,
        _ serve: @escaping @Sendable (ClientConnection) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            while let descriptor = await nextConnection(of: socket) {
                // Yielding lets the tasks of connected clients run between two new connections.
                await Task.yield()
                let connection = ClientConnection(descriptor, budget: budget)
                guard admit(connection) else {
                    connection.send(kept: ControlReports.error("Too many clients."))
                    connection.close()
                    continue
                }
                // The priority is lower than that of new connections and of data queued for slow
                // clients.
                group.addTask(priority: .utility) {
                    await serve(connection)
                    let dropped = connection.droppedCount
                    self.state.withLock { state in
                        state.clients[ObjectIdentifier(connection)] = nil
                        state.formerDroppedCount += dropped
                    }
                    if dropped > 0 {
                        self.log("a slow client has lost \(dropped) reports", .warning)
                    }
                }
            }
        }
    }

    /// Returns the next connection; `nil` if the socket is closed, the task is cancelled, or an
    /// error occurs. Logs the error. Connected clients are not affected.
    private func nextConnection(of socket: ListeningSocket) async -> Descriptor? {
        do throws(IOError) {
            return try await socket.accept()
        } catch {
            let error = ServerError(cannot: "accept connections", errno: error.errno)
            log("\(error): new clients are no longer served; restart the server", .error)
            return nil
        }
    }

    private func answer(_ request: borrowing HTTPRequest, _ access: HTTPAccess) -> HTTPResponse {
        switch request.path {
        case "/metrics", "/health":
            // These pages contain no position. On a public address, requests with any host name are
            // permitted.
            if access.isLocal, let refusal = access.refusal(of: request) { return refusal }
            let answer = request.path == "/health" ? health : metrics(request, access)
            return answer.adding("Cache-Control", "no-store")
                .adding("Content-Security-Policy", "default-src 'none'")
        default:
            return page?.answer(request, access)
                ?? HTTPResponse(status: 404, text: "not found; try /, /metrics or /health\n")
        }
    }

    private func metrics(_ request: borrowing HTTPRequest, _ access: HTTPAccess) -> HTTPResponse {
        var server = ServerMetrics()
        let (clients, formerDroppedCount) = state.withLock {
            (Array($0.clients.values), $0.formerDroppedCount)
        }
        server.clients = [("all", clients.count), ("page", page?.viewerCount ?? 0)]
        server.droppedCount = clients.reduce(formerDroppedCount) { $0 + $1.droppedCount }
        server.nmea2000DroppedCount = nmea2000?.droppedCount
        (server.clocks, server.pulses) = (clocks.metrics, clocks.pulseStatistics)
        // `hasToken` counts a wrong token, so it is called before the count is read.
        let hasToken = access.hasToken(request)
        server.wrongTokenCount = access.token == nil ? nil : wrongTokens.count
        return MetricsText.page(
            receivers.map(\.metrics), server, accept: request.header("Accept") ?? "",
            hasMotion: hasToken)
    }

    private var health: HTTPResponse {
        let metrics = receivers.map(\.metrics)
        let up = metrics.count(where: \.device.isUp)
        let fixes = metrics.count { $0.device.mode > .noFix }
        return HTTPResponse(
            status: up > 0 ? 200 : 503,
            text: "\(up) of \(metrics.count) receivers, \(fixes) with a fix\n")
    }

    /// Adds a new client to `clients`. Returns `false`, without adding it, if the limit is reached.
    private func admit(_ connection: ClientConnection) -> Bool {
        let (isAdmitted, isNews, limit) = state.withLock { state in
            let isFull = state.clients.count >= state.clientLimit
            defer { state.wasFull = isFull }
            if !isFull { state.clients[ObjectIdentifier(connection)] = connection }
            return (!isFull, isFull && !state.wasFull, state.clientLimit)
        }
        if isNews {
            let remedy =
                limit < configuration.maximumClientCount
                ? "the limit of open files (ulimit -n, or LimitNOFILE= of a service)"
                : "--max-clients"
            log(
                Plural.text(limit, "client is", "clients are")
                    + " connected, so further clients are refused: raise \(remedy)",
                .warning)
        }
        return isAdmitted
    }

    private var snapshot: ServerSnapshot {
        let devices = receivers.map(\.device).filter { $0.hasBeenOpened || $0.hasKnownPath }
        return ServerSnapshot(devices: devices, time: SystemClock.now)
    }
}

extension ReceiverServer {
    /// Replaces the served receivers. Receivers whose source is already served are not interrupted,
    /// and clients stay connected. Call this while `run()` is running.
    ///
    /// Throws a ``ServerError``, and changes nothing, if a source would receive this server's own
    /// output.
    package func setSources(_ sources: [any DeviceSource]) async throws {
        try await changes.perform { try self.change(to: sources) }
    }

    /// Adds a receiver.
    ///
    /// Throws a ``ServerError`` if it is already served, if NMEA 2000 is used and another receiver
    /// is served, or if the source would receive this server's own output.
    func add(_ source: any DeviceSource) async throws {
        try await changes.perform {
            let present = self.receivers.map(\.source)
            let isServed = present.flatMap(\.parts).contains { part in
                part.identity == source.identity || part.readsSame(as: source)
            }
            guard !isServed else {
                throw ServerError(cannot: "add \(source.name)", errno: EALREADY)
            }
            guard self.nmea2000 == nil || present.isEmpty else {
                throw ServerError(cannot: "add \(source.name)", errno: EMLINK)
            }
            try self.change(to: present + [source])
        }
    }

    /// Stops serving a receiver.
    func remove(_ receiver: ServedReceiver) async throws {
        try await changes.perform {
            try self.change(to: self.receivers.filter { $0 !== receiver }.map(\.source))
        }
    }

    private func change(to sources: [any DeviceSource]) throws {
        let sources = sources.map { $0.read(by: hub.chain) }
        try refuseOwnOutputs(sources)
        for former in receivers.map(\.source)
        where !sources.contains(where: { former.readsSame(as: $0) }) {
            for part in [former] + former.parts { pool.forgetSession(for: part) }
        }
        let change = replaceReceivers(by: sources)
        for receiver in change.removed { receiver.end() }
        if let warning = limitClients(kinds: 1 + state.withLock({ $0.http.count })) {
            log(warning, .warning)
        }
        observeInterest()
        page?.receiversChanged()
        for receiver in change.added { receiver.start() }
    }

    /// Replaces the served receivers, and gives each its place. Does not start new receivers.
    @discardableResult
    private func replaceReceivers(
        by sources: [any DeviceSource]
    ) -> (added: [ServedReceiver], removed: [ServedReceiver]) {
        // The device path that clients see for each source: the file name of a recording if it is
        // unique; otherwise `nil`, which stands for the source's name.
        let titles = OutputSource.titles(
            of: sources.map { OutputSource(name: $0.name, origin: $0.origin) })
        func place(_ index: Int) -> ServedReceiver.Place {
            ServedReceiver.Place(index: index, count: sources.count)
        }
        let change = served.replace(by: sources) { index in
            ServedReceiver(
                sources[index], hub: hub, clocks: clocks, nmea2000: nmea2000, page: page,
                configuration: configuration, place: place(index), title: titles[index],
                pool: pool, log: log)
        }
        for (index, receiver) in receivers.enumerated() { receiver.move(to: place(index)) }
        return change
    }

    /// The receivers that are currently served.
    var receivers: [ServedReceiver] { served.all }

    /// Reports to each receiver whether any client needs sentences or raw bytes, immediately and
    /// after each change. Calls `ServedReceiver.setInterest`.
    private func observeInterest() {
        hub.observeInterest { [weak self] sentences, bytes in
            for receiver in self?.receivers ?? [] {
                receiver.setInterest(sentences: sentences, bytes: bytes)
            }
        }
    }

    /// Throws a ``ServerError`` if a new source is one of this server's own outputs.
    private func refuseOwnOutputs(_ sources: [any DeviceSource]) throws(ServerError) {
        let present = receivers.map(\.source)
        let outputs = configuration.sentences + state.withLock { $0.datagrams }
        for source in sources where !present.contains(where: { $0.readsSame(as: source) }) {
            for part in source.parts {
                let isLoop = outputs.contains { $0.isLoop(for: part.name) }
                guard !isLoop, !isServedHere(part) else {
                    throw ServerError(cannot: "read \(part.name)", errno: ELOOP)
                }
            }
        }
    }
}

/// Ensures that a server's list of sources is changed by one caller at a time.
actor SourceChanges {
    func perform(_ change: @Sendable () throws -> Void) rethrows { try change() }
}
