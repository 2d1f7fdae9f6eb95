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
            throw DeviceError(.unreachable, device: source.name, errno: error)
        }
        var unread: [UInt8] = []
        while case .bytes(let bytes) = await descriptor.read(atMost: 4096, until: nil) {
            unread += bytes
            while let end = unread.firstIndex(of: 0x0A) {
                let line = unread[..<end]
                unread = Array(unread[(end + 1)...])
                if let result = try evaluate(line, report) { return result }
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
        _ line: ArraySlice<UInt8>, _ report: (String) -> Void
    ) throws -> Result? {
        var members: [String: JSONScalar] = [:]
        guard (try? JSONScanner.read(Array(line), into: &members)) != nil else { return nil }
        func text(_ name: String) -> String? {
            if case .string(let text)? = members[name] { text } else { nil }
        }
        switch text("class") {
        case "ERROR":
            let message = text("message") ?? "the server gave no reason"
            let isUnknown = message.hasPrefix("Unrecognized")
            throw ConfigurationError(
                .unavailable,
                isUnknown ? "\(source.name) is a server that cannot configure receivers" : message,
                remedy: isUnknown ? "stop that server, and name the receiver's tty" : nil)
        case "CONFIGURE":
            if let progress = text("progress") {
                report(progress)
                return nil
            }
            if let error = text("error") { throw ConfigurationError(.unavailable, error) }
            return Result(text: text("text") ?? "", settings: text("settings"))
        default: return nil
        }
    }
}
