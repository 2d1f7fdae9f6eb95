// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO

/// Parses the argument SOURCE of the command, and `GPSBRIDGE_SOURCE`; see `forms`.
///
/// `SimulatedDevices` adds `source(_:)` without `simulated:` and the help.
package enum SourceArgument {
    /// The forms of SOURCE, with descriptions.
    package static let forms = [
        ("/dev/ttyUSB0", "a receiver's tty"),
        ("serial:NUMBER", "the receiver with this USB serial number; see `gpsbridge list`"),
        ("tcp://HOST:PORT", "a server that sends NMEA sentences"),
        ("udp://[HOST]:PORT", "datagrams to this machine, or to a multicast group"),
        ("gpsd://HOST[:PORT]", "gpsd or gpsbridge; append /DEVICE to select one"),
        (
            "nats://HOST[:PORT]",
            "a fleet on a NATS server; append /FLEET/BRIDGE/RECEIVER to select a member"
        ),
        (
            "mqtt://HOST[:PORT]",
            "a fleet on an MQTT broker; append /FLEET/BRIDGE/RECEIVER to select a member"
        ),
        ("FILE", "a recording, or any other file that convert reads"),
        ("-", "standard input"),
        ("simulated[:KEY=VALUE,...]", "a simulated receiver"),
    ]

    /// A scheme of sources on the network.
    private struct Scheme: Sendable {
        let name: String
        /// Creates the source from the whole text, and its part after `://`.
        let create: @Sendable (String, Substring) throws -> any DeviceSource
    }

    private static let schemes =
        [
            Scheme(name: "tcp") { try network("tcp://", String($1)) },
            Scheme(name: "udp") { try network("udp://", String($1)) },
            Scheme(name: "gpsd") { try gpsd($1) },
        ]
        + FleetSource.schemes.map { name in
            Scheme(name: name) { try fleet($0, name, $1) }
        }

    /// Returns the source for `text`. A recording is replayed at `speed` or, if that is `nil`, at
    /// `defaultSpeed` (1 is the original speed). If `isLive` is `true`, data from a pipe counts as
    /// live, even if its times are old. `rateOption` is the option that set `baudRate`, for errors.
    /// `simulated` creates a simulated receiver from the text after `simulated:`.
    ///
    /// Throws a `UsageError` if the text does not name a source or an option does not apply to it,
    /// and a `DeviceError` if the source does not exist.
    package static func source(
        _ text: String, baudRate: BaudRate? = nil, speed: Double? = nil, defaultSpeed: Double = 1,
        isLive: Bool = false, rateOption: String = "--baud",
        simulated: (Substring) throws -> any DeviceSource
    ) throws -> any DeviceSource {
        func baudRateError(_ source: String) -> UsageError {
            UsageError("\(rateOption) is for a tty: \(source) has no baud rate")
        }
        if text == "simulated" || text.hasPrefix("simulated:") {
            guard !isLive else { throw liveError("a simulated receiver") }
            let source = try simulated(text.dropFirst("simulated:".count))
            guard speed == nil else { throw speedError("a simulated receiver") }
            guard baudRate == nil else { throw baudRateError("a simulated receiver") }
            return source
        }
        if text.hasPrefix("serial:") {
            guard text.count > "serial:".count else {
                throw UsageError(
                    "a USB serial number is missing after 'serial:': see `gpsbridge list`")
            }
            guard speed == nil else { throw speedError("a receiver") }
            let number = String(text.dropFirst("serial:".count))
            return USBSerialNumberSource(serialNumber: number, baudRate: baudRate)
        }
        if let mark = text.firstRange(of: "://") {
            let name = String(text[..<mark.lowerBound])
            guard let scheme = schemes.first(where: { $0.name == name }) else {
                throw UsageError.unknown("scheme", name, known: schemes.map(\.name))
            }
            guard speed == nil else { throw speedError("the network") }
            // A server sets the baud rate of its receivers.
            guard baudRate == nil else { throw baudRateError("the network") }
            return try scheme.create(text, text[mark.upperBound...])
        }
        let source: any DeviceSource
        do throws(DeviceError) {
            source = try DeviceSources.at(
                text, baudRate: baudRate, speed: speed ?? defaultSpeed, isLive: isLive)
        } catch {
            guard error.code == .notFound, let hint = advice(on: text) else { throw error }
            throw UsageError("the file \(text) does not exist: \(hint)")
        }
        if isLive, source.origin == .replay { throw liveError("a recording in a file") }
        if baudRate != nil, !source.capabilities.contains(.serialLine) {
            throw baudRateError("a recording")
        }
        // A pipe accepts any speed, although its bytes arrive as fast as they are written.
        if speed != nil, !source.capabilities.contains(.pausing) { throw speedError("a tty") }
        return source
    }

    /// Returns a hint for a SOURCE that is not an existing file, but looks like a mistyped command
    /// or source, or a server without a scheme; `nil` for any other text.
    private static func advice(on text: String) -> String? {
        if text == "simulate" {
            return "'simulate' is a command (`gpsbridge simulate`); to read a simulated receiver, "
                + "give 'simulated' as the source, as in `gpsbridge monitor simulated`"
        }
        let name = text.prefix { $0 != ":" && $0 != "=" }
        let rest = text.dropFirst(name.count)
        // As in `gpsd:localhost`.
        if rest.hasPrefix(":"),
            let scheme = UsageError.nearest(String(name), of: schemes.map(\.name)),
            !["simulated", "serial"].contains(name.lowercased())
        {
            return "did you mean '\(scheme)://\(rest.drop { ":/".contains($0) })'?"
        }
        if !rest.hasPrefix("="),
            let known = UsageError.nearest(String(name), of: ["simulated", "serial"]),
            known == "simulated" || rest.hasPrefix(":")
        {
            return "did you mean '\(known)\(rest)'?"
        }
        // As in `simulated,rate=5`.
        let simulated = "simulated"
        if text.hasPrefix(simulated), let mark = text.dropFirst(simulated.count).first,
            ",=".contains(mark)
        {
            return "did you mean '\(simulated):\(text.dropFirst(simulated.count + 1))'?"
        }
        // A name of the options of a vote, as in `bow=/dev/ttyUSB0`.
        if rest.count > 1, rest.hasPrefix("="), !name.contains("/") {
            return "a source has a name only with --vote: add --vote, or leave out '\(name)='"
        }
        let device = text.hasPrefix("dev/") ? "/\(text)" : "/dev/\(text)"
        let isTTY = device.lowercased().hasPrefix("/dev/tty") && text.lowercased() != "tty"
        if !text.hasPrefix("/"), isTTY || (try? Node(device).kind()) == .characterDevice {
            return "did you mean '\(device)'?"
        }
        guard !text.contains("/"),
            (try? HostPort(text, needsHost: true)) != nil  // an error: not an address
        else { return nil }
        return "for a server, write tcp://\(text), or gpsd://\(text) for gpsd"
    }

    /// Checks that `--live` applies to at least one of the sources.
    ///
    /// Throws a `UsageError` if `isLive` is `true` and no source is standard input or a named pipe.
    package static func checkLive(_ isLive: Bool, _ texts: [String]) throws {
        let hasPipe = texts.contains { text in
            text == "-" || (try? Node(text).kind()) == .pipe  // an error: not a pipe
        }
        guard isLive, !hasPipe else { return }
        throw UsageError(
            "--live is only for data from a pipe: use '-' (standard input) or a named pipe")
    }

    /// Returns the error for `--speed` with a source that is not a recording. `source` describes
    /// it, such as `a tty`.
    package static func speedError(_ source: String) -> UsageError {
        UsageError("--speed is for recordings: \(source) sends at its own pace")
    }

    /// Returns the error for `--live` with a source that cannot be live.
    private static func liveError(_ source: String) -> UsageError {
        UsageError(
            "--live is only for data from a pipe, and \(source) is not a pipe: leave out --live")
    }

    /// Returns the source for `HOST[:PORT][/DEVICE]`, or for `HOST[:PORT]:/DEVICE`, as in gpsd's
    /// programs.
    private static func gpsd(_ text: Substring) throws -> any DeviceSource {
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        var server = String(text[..<slash])
        if slash < text.endIndex, server.hasSuffix(":") { server.removeLast() }
        let device = text[slash...].count > 1 ? String(text[slash...]) : nil
        let hasPort = server.hasSuffix("]") ? false : server.contains(":")
        let address = try HostPort(
            hasPort ? server : "\(server.isEmpty ? "localhost" : server):\(GPSDSource.port)",
            needsHost: true, scheme: "gpsd://")
        return GPSDSource(
            host: address.host ?? "localhost", port: address.port, device: device)
    }

    /// Returns the source for `text`, which consists of a scheme and `rest`. Throws a `UsageError`
    /// without the address if it contains a password.
    private static func fleet(
        _ text: String, _ scheme: String, _ rest: Substring
    ) throws -> any DeviceSource {
        if let at = rest.lastIndex(of: "@"), rest[..<at].contains(":") {
            throw UsageError(
                "\(scheme)://…: every user of this machine can read a password on the command line: "
                    + "put it into a file, and the file's path into GPSBRIDGE_PASSWORD_FILE")
        }
        return FleetSource(text)
    }

    private static func network(
        _ scheme: String, _ text: String
    ) throws -> any DeviceSource {
        guard scheme == "udp://" else {
            let server = try HostPort(text, needsHost: true, scheme: scheme)
            guard server.port > 0 else {
                throw UsageError("tcp://\(text): the port of a server cannot be 0")
            }
            return TCPSource(host: server.host ?? "", port: server.port)
        }
        let address = try HostPort(
            text.hasPrefix(":") ? String(text.dropFirst()) : text, scheme: scheme)
        guard address.port > 0 else {
            throw UsageError("udp://\(text): senders need to know the port, so it cannot be 0")
        }
        return UDPSource(host: address.host, port: address.port)
    }
}
