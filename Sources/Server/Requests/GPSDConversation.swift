// SPDX-License-Identifier: MIT
package import GNSS

/// What the server tells a client that asks.
package struct ServerSnapshot: Sendable {
    /// Every device that has ever been opened.
    package var devices: [ServedDevice]
    /// The system's clock.
    package var time: UTCTime?

    /// Creates a snapshot.
    package init(devices: [ServedDevice], time: UTCTime?) {
        self.devices = devices
        self.time = time
    }
}

/// One client's side of gpsd's protocol: requests in, replies out, no I/O.
package struct GPSDConversation: Sendable {
    /// The name and version of the server.
    package static let serverName = "gpsbridge \(Release.version)"

    /// What the client wants to be sent.
    package private(set) var watch = Watch()
    private var reader = RequestReader()

    /// Creates the conversation with a client that has just connected.
    package init() {}

    /// What the server says first.
    package static var greeting: [UInt8] { ControlReports.version(serverName) }

    /// Whether a request has begun that has not ended.
    package var isUnfinished: Bool { reader.isUnfinished }

    /// Parses what a client sent and returns the replies.
    package mutating func receive(
        _ bytes: [UInt8], _ snapshot: () -> ServerSnapshot
    ) -> [UInt8] {
        var replies: [UInt8] = []
        var reader = self.reader
        reader.push(bytes) { replies += reply(to: $0, snapshot) }
        self.reader = reader
        return replies
    }

    /// Gives up on an unfinished request; returns the reply.
    package mutating func expire() -> [UInt8] {
        reader.expire().map { _ in ControlReports.error("Request without end.") } ?? []
    }

    private mutating func reply(
        to request: ClientRequest, _ snapshot: () -> ServerSnapshot
    ) -> [UInt8] {
        switch request {
        case .unrecognized(let text):
            return ControlReports.error("Unrecognized request '\(text)'")
        case .tooLong:
            return ControlReports.error(
                "Request of more than \(RequestReader.longest) bytes.")
        case .request(let word, let argument):
            var members: [String: JSONValue]?
            if let argument {
                do throws(JSONReader.SyntaxError) {
                    members = try JSONReader.object(argument)
                } catch {
                    return ControlReports.error("Invalid \(word): \(error.message)")
                }
            }
            return reply(to: word, members, snapshot())
        }
    }

    private mutating func reply(
        to word: String, _ members: [String: JSONValue]?, _ server: ServerSnapshot
    ) -> [UInt8] {
        switch word {
        case "VERSION": return ControlReports.version(Self.serverName)
        case "DEVICES":
            let (line, rest) = ControlReports.devices(
                server.devices, isComplete: watch.isExtended)
            return line + rest.flatMap { ControlReports.device($0) }
        case "DEVICE": return device(members, server)
        case "POLL":
            let watched = server.devices.filter { watch.device == nil || watch.device == $0.path }
            return ControlReports.poll(watch.isEnabled ? watched : [], at: server.time)
        default: return watch(members, server)
        }
    }

    private mutating func watch(
        _ members: [String: JSONValue]?, _ server: ServerSnapshot
    ) -> [UInt8] {
        if let members {
            if let name = members["device"]?.text,
                !server.devices.contains(where: { $0.path == name })
            {
                return ControlReports.error("No such device as \(name.prefix(80))")
            }
            watch.update(from: members)
        }
        let (line, rest) = ControlReports.devices(server.devices, isComplete: watch.isExtended)
        return line + ControlReports.watch(watch) + rest.flatMap { ControlReports.device($0) }
    }

    /// Reports a device, or all. Nothing is changed, whatever the request names: as with gpsd's
    /// read-only devices, the reply has the values that hold.
    private func device(_ members: [String: JSONValue]?, _ server: ServerSnapshot) -> [UInt8] {
        guard let members else { return server.devices.flatMap { ControlReports.device($0) } }
        let device: ServedDevice
        if let path = members["path"]?.text {
            guard let named = server.devices.first(where: { $0.path == path }) else {
                return ControlReports.error("Can't open \(path.prefix(80)).")
            }
            device = named
        } else {
            guard server.devices.count < 2 else {
                return ControlReports.error(
                    "No path specified in DEVICE, but multiple devices are attached.")
            }
            guard let only = server.devices.first else {
                return ControlReports.error(
                    "Can't perform DEVICE configuration, no devices attached.")
            }
            device = only
        }
        var refusal: [UInt8] = []
        if members["hexdata"] != nil {
            refusal = ControlReports.error("Nothing is written to \(device.path): it is read-only.")
        }
        return refusal + ControlReports.device(device)
    }
}
