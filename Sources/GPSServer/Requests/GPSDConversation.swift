// SPDX-License-Identifier: MIT
import GNSS

/// The server's reaction to a request.
package enum ConversationReply: Equatable, Sendable {
    /// Whole lines for the client.
    case lines([UInt8])
    /// Change a receiver, and send the client the result.
    case change(ReceiverChange)
}

/// One client's side of gpsd's protocol: requests in, replies out, no I/O.
package struct GPSDConversation: Sendable {
    /// The name and version of the server.
    package static let serverName = "gpsbridge \(Release.version)"

    /// The client's selection of reports.
    package private(set) var watch = Watch()
    private let allowsControl: Bool
    private var reader = RequestReader()
    /// Requests that have not been answered, the last one first.
    private var requests: [ClientRequest] = []

    /// Creates the conversation with a client that has just connected, and may change receivers or may not.
    package init(allowsControl: Bool = false) {
        self.allowsControl = allowsControl
    }

    /// The first line that a client receives.
    package static var greeting: [UInt8] { ControlReports.version(serverName) }

    /// Whether a request has begun that has not ended.
    package var isUnfinished: Bool { reader.isUnfinished }

    /// Parses bytes that a client sent.
    package mutating func push(_ bytes: [UInt8]) {
        var new: [ClientRequest] = []
        reader.push(bytes) { new.append($0) }
        requests = new.reversed() + requests
    }

    /// Returns the reply to the next request; `nil` if all are answered.
    package mutating func nextReply(_ snapshot: () -> ServerSnapshot) -> ConversationReply? {
        requests.popLast().map { reply(to: $0, snapshot) }
    }

    /// Parses bytes that a client sent, and returns the replies that are lines.
    package mutating func receive(
        _ bytes: [UInt8], _ snapshot: () -> ServerSnapshot
    ) -> [UInt8] {
        push(bytes)
        var lines: [UInt8] = []
        while let reply = nextReply(snapshot) {
            if case .lines(let bytes) = reply { lines += bytes }
        }
        return lines
    }

    /// Gives up on an unfinished request; returns the reply.
    package mutating func expire() -> [UInt8] {
        reader.expire().map { _ in ControlReports.error("Request without end.") } ?? []
    }

    private mutating func reply(
        to request: ClientRequest, _ snapshot: () -> ServerSnapshot
    ) -> ConversationReply {
        switch request {
        case .unrecognized(let text):
            return .lines(ControlReports.error("Unrecognized request '\(text)'"))
        case .tooLong:
            return .lines(
                ControlReports.error("Request of more than \(RequestReader.longest) bytes."))
        case .request(let word, let argument):
            var members: [String: JSONScalar] = [:]
            do throws(JSONError) {
                if let argument { try JSONScanner.read(argument, into: &members) }
            } catch {
                return .lines(ControlReports.error("Invalid \(word): \(error.summary)"))
            }
            let known = argument == nil ? nil : members
            if word == "DEVICE" { return device(known, snapshot()) }
            return .lines(reply(to: word, known, snapshot()))
        }
    }

    private mutating func reply(
        to word: String, _ members: [String: JSONScalar]?, _ server: ServerSnapshot
    ) -> [UInt8] {
        switch word {
        case "VERSION": return ControlReports.version(Self.serverName)
        case "DEVICES":
            let (line, rest) = ControlReports.devices(
                server.devices, isComplete: watch.isExtended)
            return line + rest.flatMap { ControlReports.device($0) }
        case "POLL":
            let poll =
                watch.isEnabled ? server.poll(of: watch.device) : ControlReports.poll(of: [])
            return ControlReports.poll(poll, at: server.time)
        default: return watch(members, server)
        }
    }

    private mutating func watch(
        _ members: [String: JSONScalar]?, _ server: ServerSnapshot
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

    /// Reports a device or all of them; changes one if that is requested and allowed.
    private func device(
        _ members: [String: JSONScalar]?, _ server: ServerSnapshot
    ) -> ConversationReply {
        guard let members else {
            return .lines(server.devices.flatMap { ControlReports.device($0) })
        }
        let device: ServedDevice
        if let path = members["path"]?.text {
            guard let named = server.devices.first(where: { $0.path == path }) else {
                return .lines(ControlReports.error("Can't open \(path.prefix(80))."))
            }
            device = named
        } else {
            guard server.devices.count < 2 else {
                return .lines(
                    ControlReports.error(
                        "No path specified in DEVICE, but multiple devices are attached."))
            }
            guard let only = server.devices.first else {
                return .lines(
                    ControlReports.error(
                        "Can't perform DEVICE configuration, no devices attached."))
            }
            device = only
        }
        // gpsd says nothing if it changes nothing; the values that hold follow in any case.
        var refusal: [UInt8] = []
        do throws(ReceiverChange.Refusal) {
            let change = try ReceiverChange(members, of: device)
            if !change.isEmpty {
                guard !allowsControl else { return .change(change) }
                throw ReceiverChange.Refusal(
                    message: "Can't change \(device.path): the server does not allow it.")
            }
        } catch {
            refusal = ControlReports.error(error.message)
        }
        return .lines(refusal + ControlReports.device(device))
    }
}
