// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSIO
import GPSReceivers

/// Configures a receiver that `gpsbridge serve --allow-control` reads, with a `?CONFIGURE` request
/// to the server.
struct ServedConfiguration {
    /// The result of a `?CONFIGURE` request.
    struct Result {
        /// The server's report for the user, one result per line.
        var text = ""
        /// The settings in effect as TOML; `nil` if the reply contains none.
        var settings: String?
    }

    /// The maximum length of a reply line in bytes.
    private static let maximumLineLength = 65_536

    let source: GPSDSource
    /// The settings and actions to request. The settings are sent as TOML.
    let request: ConfigurationRequest
    /// The contents of a `--send` file; `nil` if no messages are to be sent.
    let messages: String?

    /// Sends the request and waits for the result. `report` is called with progress messages.
    ///
    /// - Throws: `DeviceError` if the server can't be reached, and `ConfigurationError` if the
    ///   configuration fails.
    func run(_ report: (String) -> Void) async throws -> Result {
        let descriptor = try await TCPSource(host: source.host, port: source.port)
            .connect(as: source.name)
        defer { descriptor.close() }
        let line = Array("?CONFIGURE=\(argument);\n".utf8)
        let error = await descriptor.write(all: line, until: .now + .seconds(10))
        guard error == 0 else {
            throw DeviceError(of: .unreachable, device: source.name, errno: error)
        }
        var unread: [UInt8] = []
        var server = Server()
        while case .bytes(let bytes) = await descriptor.read(atMost: 4096, until: nil) {
            unread += bytes
            while let end = unread.firstIndex(of: 0x0A) {
                let line = unread[..<end]
                unread = Array(unread[(end + 1)...])
                if let result = try evaluate(line, &server, report) { return result }
            }
            guard unread.count < Self.maximumLineLength else { break }
        }
        throw ConfigurationError(
            .unavailable, "\(source.name) has closed the connection",
            remedy: "see the messages of the server")
    }

    private var argument: String {
        var object = JSONObject()
        object.add("path", source.device)
        if !request.configuration.isEmpty { object.add("settings", request.configuration.toml) }
        object.add("messages", messages)
        object.add("restart", request.restart?.rawValue)
        if request.saves { object.add("save", true) }
        if request.resetsToFactory { object.add("factoryReset", true) }
        if request.isDryRun { object.add("dryRun", true) }
        if request.readsStoredValues { object.add("stored", true) }
        return object.description
    }

    /// Handles a line from the server. Returns the result if this line contains it; otherwise
    /// `nil`.
    private func evaluate(
        _ line: ArraySlice<UInt8>, _ server: inout Server, _ report: (String) -> Void
    ) throws -> Result? {
        var members: [String: JSONScalar] = [:]
        guard (try? JSONScanner.read(Array(line), into: &members)) != nil else { return nil }
        func text(_ name: String) -> String? {
            if case .string(let text)? = members[name] { text } else { nil }
        }
        switch text("class") {
        case "VERSION":
            server = Server(release: text("release"), revision: text("rev"))
        case "ERROR":
            let message = text("message") ?? "the server gave no reason"
            guard message.hasPrefix("Unrecognized") else {
                throw ConfigurationError(.unavailable, message)
            }
            throw ConfigurationError(
                .unavailable, "\(source.name) is \(server.name), which cannot configure receivers",
                remedy: server.remedy(for: source.device))
        case "CONFIGURE":
            if let progress = text("progress") {
                report(progress)
                return nil
            }
            if let error = text("error") { throw ConfigurationError(.unavailable, error) }
            return Result(text: text("text") ?? "", settings: text("settings"))
        default: break
        }
        return nil
    }
}

extension ServedConfiguration {
    /// What a server says about itself in its greeting.
    private struct Server {
        /// Its version, such as `3.25`; `nil` if it does not say.
        var release: String?
        var revision: String?

        private var isGPSBridge: Bool { revision?.hasPrefix("gpsbridge ") == true }

        /// The server in words.
        var name: String {
            if isGPSBridge { return "an old gpsbridge server" }
            return release.map { "gpsd \($0.prefix(40))" } ?? "a server"
        }

        /// What to type instead. `device` is the path of the receiver, if the user named it.
        func remedy(for device: String?) -> String {
            let stop =
                release == nil || isGPSBridge
                ? "stop it" : "stop it (sudo systemctl stop gpsd.socket gpsd)"
            let tty = device.map { "gpsbridge configure \(TerminalText.safe($0))" }
            let command = tty ?? "gpsbridge configure TTY, such as /dev/ttyACM0"
            return "\(stop), and type on its machine: \(command)"
        }
    }
}

/// Configures each of several receivers to use its own pair of constellations.
struct DiverseConfiguration {
    private let members: [ConsensusSource.Member]
    /// The request for every receiver. The constellations are added for each receiver.
    private let request: ConfigurationRequest

    init(_ members: [ConsensusSource.Member], _ request: ConfigurationRequest) {
        (self.members, self.request) = (members, request)
    }

    /// Reads the settings of all receivers, prints which constellations each will use, then
    /// configures one receiver after the other.
    ///
    /// - Throws: An error before the first change if no `ConstellationPlan` suits these receivers,
    ///   and an `ExitStatus` if reading or configuring one of them failed.
    func run() async throws {
        var found: [ConstellationPlan.Member] = []
        for member in members {
            found.append(
                ConstellationPlan.Member(name: member.name, state: try await state(of: member)))
        }
        let plan = try ConstellationPlan(found)
        try ConfigureCommand.show(plan.lines)
        for warning in plan.warnings { StandardError.print("warning: \(warning)") }
        var hasFailed = false
        for (index, member) in members.enumerated() {
            var request = request
            request.configuration.constellations = plan.constellations(of: index)
            do {
                if try await carryOut(request, on: member) == nil { hasFailed = true }
            } catch {
                print("\(error)", of: member)
                hasFailed = true
            }
        }
        if hasFailed { throw ExitStatus.failed }
    }

    private func state(of member: ConsensusSource.Member) async throws -> ReceiverState {
        guard let report = try await carryOut(ConfigurationRequest(), on: member),
            let state = report.before
        else { throw ExitStatus.failed }
        return state
    }

    /// Configures a receiver and returns the report. If that fails, prints the error and returns
    /// `nil`.
    private func carryOut(
        _ request: ConfigurationRequest, on member: ConsensusSource.Member
    ) async throws -> ConfigurationResult? {
        let session = ReceiverPool.shared.session(for: member.source)
        let outcome = try await session.configure(request, journals: .default) { progress in
            // The plan has already named the chip.
            if case .identified = progress { return }
            guard let text = ConfigurationText.text(progress, of: request) else { return }
            print(text, of: member)
        }
        switch outcome {
        case .done(let report):
            for warning in report.warnings { print("warning: \(warning)", of: member) }
            if let saved = report.saved { print(saved.explanation, of: member) }
            return report
        case .failed(let error, let rollback):
            print("\(error)" + ConfigurationText.text(rollback), of: member)
            return nil
        }
    }

    private func print(_ text: String, of member: ConsensusSource.Member) {
        StandardError.print("\(member.name): \(text)")
    }
}
