// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// A connected client that uses gpsd's protocol.
package final class GPSDClient: ReportRecipient {
    /// A function that changes a receiver and returns the reply lines. To report progress, it calls
    /// its second parameter with lines to send before the reply.
    package typealias Control =
        @Sendable (ReceiverChange, @escaping @Sendable ([UInt8]) -> Void) async -> [UInt8]

    /// The maximum time between a request's first byte and its end.
    private static let timeout = Duration.seconds(10)

    private let connection: ClientConnection
    private let hub: ReportHub
    private let release: GPSDRelease
    private let snapshot: @Sendable () -> ServerSnapshot
    /// The function that changes receivers; `nil` if clients may not change them.
    private let control: Control?
    /// A lock that prevents reports from being sent before the reply to the `?WATCH` that requested
    /// them.
    private let order = Mutex(())

    package init(
        _ connection: ClientConnection, hub: ReportHub, release: GPSDRelease = .usual,
        control: Control? = nil,
        snapshot: @escaping @Sendable () -> ServerSnapshot
    ) {
        self.connection = connection
        self.hub = hub
        self.release = release
        self.control = control
        self.snapshot = snapshot
    }

    package func send(reports: [UInt8]) {
        order.withLock { _ in connection.send(reports: reports) }
    }

    /// Answers requests until the client disconnects or the task is cancelled.
    package func serve() async {
        await connection.whileOpen {
            connection.send(kept: GPSDConversation.greeting(release))
            hub.set(ReportFilter(), for: self)
            await answer()
            hub.remove(self)
            hub.chain.set([], of: ObjectIdentifier(self))
        }
    }

    private func answer() async {
        var conversation = GPSDConversation(
            release: release, allowsControl: control != nil, name: hub.chain.name)
        var watch = conversation.watch
        /// The time at which the incomplete request expires; `nil` if there is none.
        var deadline: MonotonicInstant?
        while true {
            switch await connection.read(until: deadline) {
            case .bytes(let bytes):
                conversation.push(bytes)
                // One reply is queued at a time, so that a client that does not read uses little
                // memory.
                while !Task.isCancelled, let reply = conversation.nextReply(snapshot) {
                    // The next request has begun within these bytes, if at all.
                    deadline = nil
                    let lines =
                        switch reply {
                        case .lines(let lines): lines
                        case .change(let change):
                            await control?(change) { [connection] in connection.send(kept: $0) }
                                ?? []
                        }
                    await connection.waitForRoom(for: lines)
                    // While the lock is held, no report can be sent ahead of the reply.
                    order.withLock { _ in
                        if conversation.watch != watch {
                            watch = conversation.watch
                            hub.set(ReportFilter(watch), for: self)
                            hub.chain.set(
                                watch.includesServers ? watch.servers : [],
                                of: ObjectIdentifier(self))
                        }
                        connection.send(kept: lines)
                    }
                    await Task.yield()
                }
            case .silence:
                let lines = conversation.expire()
                await connection.waitForRoom(for: lines)
                connection.send(kept: lines)
            // A client that closes its sending side is disconnected, as in gpsd.
            case .end, .hangup, .cancelled, .failed: return
            }
            deadline =
                conversation.isUnfinished ? deadline ?? connection.poller.now + Self.timeout : nil
        }
    }
}

/// The action that the server must take to answer a request.
package enum ConversationReply: Equatable, Sendable {
    /// Send these complete lines to the client.
    case lines([UInt8])
    /// Change a receiver and send the result to the client.
    case change(ReceiverChange)
}

/// The server's side of gpsd's protocol for one client. It converts requests to replies, without
/// I/O.
package struct GPSDConversation: Sendable {
    /// The name and version of the server, for the `rev` of `VERSION`.
    package static let serverName = "gpsbridge \(Release.version)"

    /// The settings of the client's `?WATCH` requests.
    package private(set) var watch = Watch()
    private let release: GPSDRelease
    private let allowsControl: Bool
    /// This server's name in its `ServerChain`; `nil` for a server that reads no others. A client
    /// whose `Watch.servers` contain it may only request data of this server's own devices, because
    /// other data could return to this server.
    private let name: String?
    private var reader = RequestReader()
    /// The unanswered requests in reverse order: the next one to answer is the last element.
    private var requests: [(request: ClientRequest, followsForeignText: Bool)] = []
    /// Whether text that is not a request came before the request that is being answered.
    private var followsForeignText = false

    /// Creates the conversation with a new client. `allowsControl` is whether the client may change
    /// receivers, and `name` is the server's name in `Watch.servers`.
    package init(
        release: GPSDRelease = .usual, allowsControl: Bool = false, name: String? = nil
    ) {
        (self.release, self.allowsControl, self.name) = (release, allowsControl, name)
    }

    /// The `VERSION` line that a client receives first.
    package static func greeting(_ release: GPSDRelease = .usual) -> [UInt8] {
        ControlReports.version(release)
    }

    /// Whether the bytes parsed so far end within a request.
    package var isUnfinished: Bool { reader.isUnfinished }

    /// Parses bytes from the client. `nextReply` then answers the requests in them.
    package mutating func push(_ bytes: [UInt8]) {
        var new: [(request: ClientRequest, followsForeignText: Bool)] = []
        reader.push(bytes) { new.append(($0, $1)) }
        requests = new.reversed() + requests
    }

    /// Returns the reply to the oldest unanswered request; `nil` if there is none. Calls `snapshot`
    /// only for a request.
    package mutating func nextReply(_ snapshot: () -> ServerSnapshot) -> ConversationReply? {
        guard let next = requests.popLast() else { return nil }
        followsForeignText = next.followsForeignText
        return reply(to: next.request, snapshot)
    }

    /// Discards an incomplete request. Returns the error line for the client; empty if there is no
    /// incomplete request.
    package mutating func expire() -> [UInt8] {
        reader.expire().map { _ in ControlReports.error("Request not completed in time.") } ?? []
    }

    private mutating func reply(
        to request: ClientRequest, _ snapshot: () -> ServerSnapshot
    ) -> ConversationReply {
        switch request {
        case .unrecognized(let text):
            return .lines(ControlReports.error("Unrecognized request '\(text)'"))
        case .tooLong:
            return .lines(
                ControlReports.error("Request of more than \(RequestReader.maximumLength) bytes."))
        case .request(let word, let argument):
            var members: [String: JSONScalar] = [:]
            do throws(JSONError) {
                if let argument { try JSONScanner.read(argument, into: &members) }
            } catch {
                return .lines(ControlReports.error("Invalid \(word): \(error.summary)"))
            }
            do throws(ReceiverChange.Refusal) {
                return try reply(to: word, argument == nil ? nil : members, snapshot())
            } catch {
                return .lines(ControlReports.error(error.message))
            }
        }
    }

    private mutating func reply(
        to word: String, _ members: [String: JSONScalar]?, _ server: ServerSnapshot
    ) throws(ReceiverChange.Refusal) -> ConversationReply {
        switch word {
        case "VERSION": return .lines(ControlReports.version(release))
        case "DEVICES": return .lines(listDevices(server, followedBy: []))
        case "POLL":
            let devices = server.devices.filter {
                watch.isEnabled && (watch.device == nil || watch.device == $0.path)
            }
            return .lines(ControlReports.poll(of: devices, at: server.time))
        case "DEVICE": return try device(members, server)
        case "CONFIGURE": return try configure(members ?? [:], server)
        default: return .lines(watch(members, server))
        }
    }

    /// Returns `DEVICES`, `lines`, and a `DEVICE` for each device that `DEVICES` does not contain.
    private func listDevices(_ server: ServerSnapshot, followedBy lines: [UInt8]) -> [UInt8] {
        let (list, rest) = ControlReports.devices(server.devices, isComplete: watch.isExtended)
        return list + lines + rest.flatMap { ControlReports.device($0) }
    }

    private mutating func watch(
        _ members: [String: JSONScalar]?, _ server: ServerSnapshot
    ) -> [UInt8] {
        if let members {
            let name = members["device"]?.devicePath
            let device = name.flatMap { server.device(at: $0) }
            var new = watch
            new.update(from: members)
            new.device = device?.path ?? name
            if let own = self.name, new.servers.contains(own), new.includesServers {
                return ControlReports.error(
                    "The client is a source of this server, and would get its own data back: "
                        + "request one device")
            }
            watch = new
            // As in gpsd, the watch applies once there is such a device.
            if let name, device == nil {
                return ControlReports.error("No such device as \(name.prefix(80))")
            }
        }
        return listDevices(server, followedBy: ControlReports.watch(watch))
    }

    /// Answers `?DEVICE`. Without members, the reply contains all devices. With members, it
    /// concerns one device, which is changed if that is requested and allowed; otherwise, it is
    /// reported.
    private func device(
        _ members: [String: JSONScalar]?, _ server: ServerSnapshot
    ) throws(ReceiverChange.Refusal) -> ConversationReply {
        guard let members else {
            return .lines(server.devices.flatMap { ControlReports.device($0) })
        }
        let device = try device(of: members, server)
        // As in gpsd, a request that changes nothing is not an error. `DEVICE` with the current
        // values is sent even after an error.
        var refusal: [UInt8] = []
        do throws(ReceiverChange.Refusal) {
            let change = try ReceiverChange(device: members, of: device)
            if !change.isEmpty {
                try checkControl("change \(device.path)")
                return .change(change)
            }
        } catch {
            refusal = ControlReports.error(error.message)
        }
        return .lines(refusal + ControlReports.device(device))
    }

    /// Answers `?CONFIGURE`. Even reading the settings needs permission, because it writes messages
    /// to the device.
    private func configure(
        _ members: [String: JSONScalar], _ server: ServerSnapshot
    ) throws(ReceiverChange.Refusal) -> ConversationReply {
        let device = try device(of: members, server)
        try checkControl("configure \(device.path)")
        return .change(try ReceiverChange(configure: members, of: device))
    }

    /// Throws an error if the client may not change receivers. `action` follows the word "Can't" in
    /// the error message, such as `configure /dev/ttyACM0`.
    private func checkControl(_ action: String) throws(ReceiverChange.Refusal) {
        guard allowsControl else {
            throw ReceiverChange.Refusal(
                message: "Can't \(action): the server does not allow it (--allow-control).")
        }
        guard !followsForeignText else {
            throw ReceiverChange.Refusal(
                message: "Can't \(action): this client has sent text that is not a request.")
        }
    }

    /// Names devices, and says how `gpsbridge configure` takes one.
    private static func choice(among paths: [String]) -> String {
        let shown = paths.prefix(8).joined(separator: ", ")
        let more = paths.count > 8 ? " and \(paths.count - 8) more" : ""
        let first = paths.first.map { $0.hasPrefix("/") ? $0 : "/\($0)" } ?? ""
        return "\(shown)\(more); name one, as in `gpsbridge configure gpsd://HOST\(first)`."
    }

    /// Returns the device named in a request or, without a name, the only device. Devices that have
    /// never been open are ignored.
    private func device(
        of members: [String: JSONScalar], _ server: ServerSnapshot
    ) throws(ReceiverChange.Refusal) -> ServedDevice {
        if let path = members["path"]?.devicePath {
            guard let named = server.device(at: path), named.hasBeenOpened else {
                throw ReceiverChange.Refusal(message: "Can't open \(path.prefix(80)).")
            }
            return named
        }
        let devices = server.devices.filter(\.hasBeenOpened)
        guard devices.count < 2 else {
            throw ReceiverChange.Refusal(
                message: "No path specified in DEVICE, but multiple devices are attached: "
                    + Self.choice(among: devices.map { String($0.path.prefix(80)) }))
        }
        guard let only = devices.first else {
            throw ReceiverChange.Refusal(
                message: "Can't perform DEVICE configuration, no devices attached.")
        }
        return only
    }
}

/// The settings of a client's `?WATCH` requests, which select its reports.
package struct Watch: Hashable, Sendable {
    /// Whether reports are streamed.
    package var isEnabled = false
    /// Whether JSON objects are requested.
    package var json = false
    /// Whether sentences are requested.
    package var nmea = false
    /// The raw mode: 1 requests sentences, as `nmea` does; 2 and above request raw bytes.
    package var raw = 0
    /// Whether AIS objects contain knots, degrees and metres instead of the transmitted integers.
    package var scaled = false
    /// Whether `TPV` contains `rtime`, the time of the report, and `sor`, the time when the cycle's
    /// first byte arrived.
    package var timing = false
    /// Whether parts A and B of an AIS message 24 are separate objects.
    var split24 = false
    /// Whether `TOFF` and `PPS` are sent.
    package var pps = false
    /// The only device to watch; `nil` for all.
    package var device: String?
    /// Whether `DEVICES` lists all devices instead of at most four, and changes of devices are
    /// reported even without `json`. The request's member is `gpsbridge`.
    var isExtended = false
    /// The name of a client that is a server, and the names of the servers that read it; empty for
    /// other clients. The names prevent servers from reading each other. The request's member is
    /// `servers`.
    package var servers: Set<String> = []

    /// Creates the settings of a client that has not sent `?WATCH`.
    package init() {}

    /// Applies the members of a request. As in gpsd, formats that the request omits are kept, and
    /// all other settings return to their defaults.
    mutating func update(from members: [String: JSONScalar]) {
        isEnabled = members["enable"]?.flag ?? true
        if let value = members["json"] { json = value.flag }
        if let value = members["nmea"] { nmea = value.flag }
        if let value = members["raw"] { raw = value.wholeNumber }
        scaled = members["scaled"]?.flag ?? false
        timing = members["timing"]?.flag ?? false
        split24 = members["split24"]?.flag ?? false
        pps = members["pps"]?.flag ?? false
        device = members["device"]?.devicePath
        isExtended = members["gpsbridge"]?.flag ?? false
        let names = (members["servers"]?.text ?? "").split(separator: " ")
        servers = Set(names.filter(ServerChain.isName).map { String($0) })
    }

    /// Whether the data sent to the client may include data from other servers.
    var includesServers: Bool { isEnabled && device?.hasPrefix("gpsd://") ?? true }
}

/// The server's devices at one time, from which requests are answered.
package struct ServerSnapshot: Sendable {
    /// All devices that have ever been open or whose path is known.
    package let devices: [ServedDevice]
    /// The system's time when the snapshot was requested; `nil` if it cannot be represented.
    package let time: UTCTime?

    package init(devices: [ServedDevice], time: UTCTime?) {
        self.devices = devices
        self.time = time
    }

    /// Returns the device with a path; `nil` if there is none. If no path matches, an additional
    /// slash at the beginning is ignored: a client with the source `gpsd://HOST/NAME` requests the
    /// device `/NAME`, even if the device is not a file and its name has no slash.
    func device(at path: String) -> ServedDevice? {
        devices.first { $0.path == path } ?? devices.first { "/\($0.path)" == path }
    }
}
