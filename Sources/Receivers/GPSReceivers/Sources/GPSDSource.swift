// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
import Synchronization

/// The sentences of a receiver served by gpsd or `gpsbridge serve`.
///
/// If the receiver sends UBX, its own messages are read. If it sends another binary protocol, gpsd's
/// reports are read, and sentences are written from them.
public struct GPSDSource: DeviceSource {
    /// The port of gpsd's protocol.
    public static let port: UInt16 = 2947

    /// The name or the address of the host.
    package let host: String
    /// The port on which the server listens.
    package let port: UInt16
    /// The path of the device on the server; `nil` for all devices or, if several of them have
    /// positions, for one of these.
    package let device: String?
    package var poller = Poller.shared
    /// The `ServerChain` of the server that reads this source; `nil` for other programs.
    var chain: ServerChain?

    /// The maximum time that `open()` waits for the server's version, which gpsd sends at once.
    private static let greetingTimeout = Duration.seconds(2)
    /// The maximum time that `open()` waits for the version and the answer to `?WATCH`.
    private static let answerTimeout = Duration.seconds(10)

    /// Creates a source; `open()` connects.
    package init(host: String, port: UInt16 = GPSDSource.port, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// The name on the command line: `gpsd://localhost:2947/dev/ttyACM0`.
    public var name: String {
        "gpsd://\(SocketAddress.text(host, port))\(device ?? "")"
    }
    /// The kind of source: a server of gpsd's protocol.
    public var kind: SourceKind { .gpsd }
    /// The server's host and port.
    public var endpoint: NetworkEndpoint? { NetworkEndpoint(host: host, port: port) }

    /// Connects to the server, and requests the device's sentences.
    ///
    /// Throws `.hostUnknown`, `.unreachable` (with the `errno` of the last attempt, or the server's
    /// reason), `.notFound` if the server does not have the device, or `.cancelled`. If the server
    /// sends reports instead of sentences, reading throws `.gpsd`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        var server = TCPSource(host: host, port: port)
        server.poller = poller
        let descriptor = try await server.connect(as: name)
        let connection = DescriptorConnection(
            descriptor, name: name, chunk: 65_536, end: .disconnected)
        let start = poller.now
        return try await GPSDConnection(
            connection, descriptor, of: self, greetingUntil: start + Self.greetingTimeout,
            answerUntil: start + Self.answerTimeout)
    }

    fileprivate func send(_ request: String, on descriptor: Descriptor) throws(DeviceError) {
        let (_, error) = descriptor.write(Array(request.utf8)[...], by: .send)
        guard error == 0 else { throw DeviceError(of: .unreachable, device: name, errno: error) }
    }

    /// Returns an object that ends each wait after 30 seconds, because a server cannot be watched.
    /// A session tries to open the source again at growing intervals of at most 30 seconds.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    /// Returns the `?WATCH` request for the sentences, or the raw bytes, of the device that the
    /// filter follows, of the source's device or of all devices. `gpsbridge serve` is also asked to
    /// report each change of its devices. Old versions of gpsd, such as 3.20, refuse the members
    /// that this adds.
    fileprivate func watch(_ filter: ObjectFilter) -> String {
        let choice = (filter.followed ?? device).map { path in
            let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return ",\"device\":\"\(escaped)\""
        }
        let servers = chain.map { ",\"servers\":\"\($0.names.joined(separator: " "))\"" }
        let members = filter.isGPSBridge == true ? ",\"gpsbridge\":true\(servers ?? "")" : ""
        let format =
            switch filter.format {
            case nil: "\"nmea\":true"
            case .sentences: "\"json\":false,\"nmea\":true,\"raw\":0"
            case .raw: "\"json\":false,\"nmea\":false,\"raw\":2"
            case .reports: "\"json\":true,\"nmea\":false,\"raw\":0"
            }
        return "?WATCH={\"enable\":true,\(format)\(members)\(choice ?? "")};\n"
    }
}

extension DeviceConnection {
    /// Whether this is a connection to a server, which has stated that it replays a recording.
    package var isServedReplay: Bool { (self as? GPSDConnection)?.isReplay ?? false }
}

/// A connection to gpsd. It removes the JSON objects, which describe the server's devices, from the
/// received bytes.
final class GPSDConnection: DeviceConnection {
    private static let poll = "?POLL;\n"
    private static let devices = "?DEVICES;\n"
    /// The maximum time for which data is held until the server has answered `?DEVICES`.
    private static let queryTimeout = Duration.seconds(1)
    /// The maximum number of bytes that are held.
    private static let maximumHeld = 65_536
    /// The time between two `?POLL` requests, which ask which devices have positions.
    private static let pollInterval = Duration.seconds(5)
    /// The maximum time that opening waits for the answer to the first `?POLL`.
    private static let pollTimeout = Duration.seconds(2)
    /// The time without data after which the connection is closed if only one of several devices is
    /// read, so that another one can be selected. Some receivers, such as trackers, send only once
    /// a minute.
    private static let silenceLimit = Duration.seconds(90)

    private struct State {
        var objects: ObjectFilter
        var nextPoll: MonotonicInstant
        var lastBytes: MonotonicInstant
        /// The time at which the server may be asked for the drivers of its devices.
        var nextQuery: MonotonicInstant
        /// The time until which data is held for the answer to that question, and the number of
        /// lists of devices before it; `nil` if no answer is expected.
        var query: (until: MonotonicInstant, listCount: Int)?
        /// Data that is dropped if it proves to be sentences for UBX.
        var held: [UInt8] = []
        var reported = ReportedEpochs(of: nil)
        /// The epochs of the sentences that were delivered last.
        var delivered: [ReportedEpoch] = []

        /// Returns the data to deliver, and whether to ask for the drivers, which gpsd knows once a
        /// device has sent a message.
        mutating func receive(
            _ bytes: [UInt8], at now: MonotonicInstant
        ) -> (rest: [UInt8], mustAsk: Bool) {
            var new = objects.remove(from: bytes)
            let reports = objects.takeReports()
            if !new.isEmpty || !reports.isEmpty { lastBytes = now }
            new += reported.receive(reports, at: now)
            let mustAsk =
                query == nil && !new.isEmpty && objects.hasUnknownDriver && now >= nextQuery
            if mustAsk {
                query = (now + GPSDConnection.queryTimeout, objects.listCount)
                nextQuery = now + GPSDConnection.pollInterval
            }
            held += new
            if let query, query.listCount == objects.listCount, now < query.until,
                held.count < GPSDConnection.maximumHeld
            {
                return ([], mustAsk)
            }
            // The next call of `examineDevices` drops what is held if the format changes.
            if query != nil, objects.wantsOtherFormat { return ([], mustAsk) }
            if !held.isEmpty { delivered = reported.takeEpochs() }
            defer { (held, query) = ([], nil) }
            return (held, mustAsk)
        }
    }

    private let connection: DescriptorConnection
    private let descriptor: Descriptor
    private let source: GPSDSource
    private let state: Mutex<State>
    /// Bytes received while waiting for the answer to `?WATCH`. The first call of `read` returns
    /// them.
    private let early: EarlyBytes

    var name: String { connection.name }

    /// Whether all open devices that are read are replays, according to the JSON objects received
    /// so far.
    var isReplay: Bool { state.withLock { $0.objects.isReplay } }

    /// Whether none of the open devices that are read is a replay, according to the JSON objects
    /// received so far. The bytes that were read last may still belong to a replay.
    var hasNoReplay: Bool { state.withLock { $0.objects.hasNoReplay } }

    /// The path of the only device that is read, because several devices of the server have
    /// positions; `nil` if the requested device or all devices are read.
    var followedDevice: String? { state.withLock { $0.objects.followed } }

    /// Removes and returns the epochs of the sentences that the last `read` returned; empty unless
    /// the server's reports are read. They have values that sentences lack.
    func takeReported() -> [ReportedEpoch] { state.withLock { exchange(&$0.delivered, with: []) } }

    /// Waits for the server's version, requests the sentences of the source's device, and waits for
    /// the answer to `?WATCH`. The server sends its list of devices before the answer.
    ///
    /// Throws `.notFound` if the server does not have the device, or `.unreachable` if it refuses the
    /// request for another reason.
    init(
        _ connection: DescriptorConnection, _ descriptor: Descriptor, of source: GPSDSource,
        greetingUntil greetingEnd: MonotonicInstant, answerUntil answerEnd: MonotonicInstant
    ) async throws(DeviceError) {
        (self.connection, self.descriptor, self.source) = (connection, descriptor, source)
        var filter = ObjectFilter(device: source.device)
        var rest: [UInt8] = []
        // Another kind of server sends sentences at once, or nothing until it gets a request.
        while filter.isGPSBridge == nil, !filter.hasAnswer, rest.isEmpty,
            let bytes = try await Self.bytes(from: connection, until: greetingEnd)
        {
            rest += filter.remove(from: bytes)
        }
        let isGPSBridge = filter.isGPSBridge ?? false
        try source.send(source.watch(filter), on: descriptor)
        while !filter.hasAnswer, rest.isEmpty,
            let bytes = try await Self.bytes(from: connection, until: answerEnd)
        {
            rest += filter.remove(from: bytes)
        }
        if let error = filter.error(of: connection.name) {
            connection.close()
            throw error
        }
        // The version of a busy server may be late.
        if !isGPSBridge, filter.isGPSBridge == true {
            try source.send(source.watch(filter), on: descriptor)
        }
        if filter.changesFormat() {
            rest = []
            try source.send(source.watch(filter), on: descriptor)
            while !filter.hasAnswer,
                let bytes = try await Self.bytes(from: connection, until: answerEnd)
            {
                rest += filter.remove(from: bytes)
            }
        }
        if filter.beginPoll() { try source.send(Self.poll, on: descriptor) }
        let pollEnd = connection.poller.now + Self.pollTimeout
        while filter.isPolling,
            let bytes = try await Self.bytes(from: connection, until: pollEnd)
        {
            rest += filter.remove(from: bytes)
        }
        if filter.follow() != nil {
            rest = []
            try source.send(source.watch(filter), on: descriptor)
        }
        let now = connection.poller.now
        state = Mutex(
            State(
                objects: filter, nextPoll: now + Self.pollInterval, lastBytes: now, nextQuery: now,
                reported: ReportedEpochs(of: filter.reportedDevice)))
        early = EarlyBytes(rest)
    }

    /// Returns the next bytes; `nil` at the deadline, even if the server is sending an endless
    /// object.
    private static func bytes(
        from connection: DescriptorConnection, until deadline: MonotonicInstant
    ) async throws(DeviceError) -> [UInt8]? {
        guard connection.poller.now < deadline,
            case .bytes(let bytes) = try await connection.read(until: deadline)
        else { return nil }
        return bytes
    }

    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        if let input = early.take() { return input }
        while true {
            try examineDevices()
            let (end, answerEnd, reportEnd) = state.withLock { state in
                (
                    state.objects.followed.map { _ in state.lastBytes + Self.silenceLimit },
                    state.query?.until, state.reported.end
                )
            }
            let limit = [deadline, end, answerEnd, reportEnd].compactMap { $0 }.min()
            // Reports may have come with the last answer that opening waited for.
            let hasReports = state.withLock { $0.objects.hasReports }
            let input = hasReports ? .bytes([]) : try await connection.read(until: limit)
            guard case .bytes(let bytes) = input else {
                let now = connection.poller.now
                let (rest, _) = state.withLock { $0.receive([], at: now) }
                if !rest.isEmpty { return .bytes(rest) }
                if [answerEnd, reportEnd].contains(where: { $0.map { $0 <= now } ?? false }),
                    deadline.map({ now < $0 }) ?? true
                {
                    continue
                }
                guard let end, connection.poller.now >= end else { return .silence }
                throw closeDisconnected()
            }
            let now = connection.poller.now
            let (rest, mustAsk) = state.withLock { $0.receive(bytes, at: now) }
            if mustAsk { try source.send(Self.devices, on: descriptor) }
            if !rest.isEmpty { return .bytes(rest) }
            if let deadline, now >= deadline { return .silence }
        }
    }

    /// Throws the errors that the server has reported, and `.disconnected` if the only device that
    /// is read has been closed. Asks which devices have positions, and requests one of them if
    /// there are several.
    private func examineDevices() throws(DeviceError) {
        let now = connection.poller.now
        let (error, isLost, request, mustPoll) = state.withLock { state in
            let isChange = state.objects.follow() != nil || state.objects.changesFormat()
            if isChange {
                (state.held, state.query) = ([], nil)
                state.reported = ReportedEpochs(of: state.objects.reportedDevice)
            }
            let mustPoll = now >= state.nextPoll && state.objects.beginPoll()
            if mustPoll { state.nextPoll = now + Self.pollInterval }
            return (
                state.objects.error(of: name), state.objects.hasLostDevice,
                isChange ? source.watch(state.objects) : nil, mustPoll
            )
        }
        if let error {
            close()
            throw error
        }
        // The source is opened again, and another device is chosen.
        guard !isLost else { throw closeDisconnected() }
        do throws(DeviceError) {
            if let request {
                try source.send(request, on: descriptor)
            } else if mustPoll {
                try source.send(Self.poll, on: descriptor)
            }
        } catch {
            throw closeDisconnected()
        }
    }

    private func closeDisconnected() -> DeviceError {
        close()
        return DeviceError(.disconnected, device: name)
    }

    func close() {
        connection.close()
    }
}

extension DeviceSource where Self == GPSDSource {
    /// A receiver served by gpsd.
    public static func gpsd(
        host: String, port: UInt16 = GPSDSource.port, device: String? = nil
    ) -> GPSDSource {
        GPSDSource(host: host, port: port, device: device)
    }
}
