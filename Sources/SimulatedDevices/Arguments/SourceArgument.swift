// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers
import Glibc

/// SOURCE on the command line: a tty, `serial:NUMBER`, `tcp://…`, `gpsd://…`, a file, `-`,
/// `simulated[:…]`.
package enum SourceArgument {
    /// The explanation in `--help`.
    package static let help = """
        SOURCE is a receiver's tty, serial:NUMBER for the receiver with a USB serial number (see \
        `gpsbridge list`), tcp://HOST:PORT for a server of sentences, udp://[HOST]:PORT for datagrams to \
        this machine or to a multicast group, gpsd://HOST[:PORT][/DEVICE] for gpsd or for another gpsbridge, \
        nats://HOST[:PORT]/FLEET/BRIDGE/RECEIVER or the same with mqtt:// for a member of a fleet (see `gpsbridge fleet`), \
        a recording or another file that convert reads (replayed at its own pace), - for standard input, or \
        simulated[:KEY=VALUE,KEY=VALUE...] with the keys \
        \(SimulationArguments.settings.map { "\($0.name) (\($0.value))" }.joined(separator: ", ")); \
        such as simulated:ublox8,rate=10,lat=48.2,lon=16.37. Left out, it is the first receiver that is plugged in; that one, \
        serial:NUMBER and links in /dev/serial and /dev/gnss are waited for where they are not there yet.
        """

    /// Returns the source for `text`. A recording is read at `defaultSpeed` unless a speed is
    /// given; with `isLive`, a pipe is live whatever its times are.
    ///
    /// Throws a `UsageError` if the text does not name a source or an option does not fit it, and a
    /// `DeviceError` if the source does not exist.
    package static func source(
        _ text: String, baudRate: BaudRate? = nil, speed: Double? = nil, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> any DeviceSource {
        if text == "simulated" || text.hasPrefix("simulated:") {
            guard !isLive else { throw liveError("a simulated receiver") }
            let configuration = try simulation(text.dropFirst("simulated:".count))
            guard speed == nil else { throw speedError("a simulated receiver") }
            guard baudRate == nil else { throw baudRateError("a simulated receiver") }
            return SimulatedSource(configuration)
        }
        if text.hasPrefix("serial:") {
            guard text.count > "serial:".count else {
                throw UsageError(
                    "serial: needs a USB serial number behind it: see `gpsbridge list`")
            }
            guard speed == nil else { throw speedError("a receiver") }
            let number = String(text.dropFirst("serial:".count))
            return USBSerialNumberSource(serialNumber: number, baudRate: baudRate)
        }
        if FleetSource.schemes.contains(where: { text.hasPrefix("\($0)://") }) {
            guard speed == nil else { throw speedError("the network") }
            guard baudRate == nil else { throw baudRateError("the network") }
            return FleetSource(text)
        }
        if text.hasPrefix("gpsd://") {
            guard speed == nil else { throw speedError("the network") }
            // The server sets the baud rate of its receivers.
            guard baudRate == nil else { throw baudRateError("the network") }
            return try gpsd(text.dropFirst("gpsd://".count))
        }
        for scheme in ["tcp://", "udp://"] where text.hasPrefix(scheme) {
            guard speed == nil else { throw speedError("the network") }
            guard baudRate == nil else { throw baudRateError("the network") }
            return try network(scheme, String(text.dropFirst(scheme.count)))
        }
        if let end = text.firstRange(of: "://")?.lowerBound {
            throw UsageError.unknown(
                "scheme", String(text[..<end]), known: ["tcp", "udp", "gpsd"] + FleetSource.schemes)
        }
        let source = try DeviceSources.at(
            text, baudRate: baudRate, speed: speed ?? defaultSpeed, isLive: isLive)
        if isLive, source.origin == .replay { throw liveError("a recording in a file") }
        if baudRate != nil, !source.capabilities.contains(.serialLine) {
            throw baudRateError("a recording")
        }
        // A pipe is accepted with any speed: its bytes arrive as fast as they are written.
        if speed != nil, !source.capabilities.contains(.pausing) { throw speedError("a tty") }
        return source
    }

    /// Checks that `--live` has an effect on one of the sources.
    ///
    /// Throws a `UsageError` if neither standard input nor a named pipe is among the sources.
    package static func checkLive(_ isLive: Bool, _ texts: [String]) throws {
        let hasPipe = texts.contains { text in
            var status = stat()
            return text == "-"
                || stat(FileName.native(text), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        }
        guard isLive, !hasPipe else { return }
        throw UsageError("--live is for what comes through a pipe: give - or a named pipe")
    }

    /// The error for `--speed` with a source that is not replayed.
    package static func speedError(_ source: String) -> UsageError {
        UsageError("--speed is for recordings: \(source) sends when it will")
    }

    /// The error for `--live` with a source that cannot be live.
    private static func liveError(_ source: String) -> UsageError {
        UsageError("--live is for what comes through a pipe: \(source) is not live")
    }

    /// The error for `--baud` with a source that is not a serial line.
    private static func baudRateError(_ source: String) -> UsageError {
        UsageError("--baud is for a tty: \(source) has no baud rate")
    }

    /// Parses `HOST[:PORT][/DEVICE]`.
    private static func gpsd(_ text: Substring) throws -> any DeviceSource {
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        let place = String(text[..<slash])
        let device = text[slash...].count > 1 ? String(text[slash...]) : nil
        let hasPort = place.hasSuffix("]") ? false : place.contains(":")
        let address = try HostPort(
            hasPort ? place : "\(place.isEmpty ? "localhost" : place):\(GPSDSource.port)",
            needsHost: true, scheme: "gpsd://")
        return GPSDSource(
            host: address.host ?? "localhost", port: address.port, device: device)
    }

    private static func network(
        _ scheme: String, _ text: String
    ) throws -> any DeviceSource {
        guard scheme == "udp://" else {
            let server = try HostPort(text, needsHost: true, scheme: scheme)
            guard server.port > 0 else {
                throw UsageError("tcp://\(text): nothing serves at port 0")
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

    private static func simulation(
        _ text: Substring
    ) throws -> SimulatedReceiver.Configuration {
        var arguments = SimulationArguments()
        for item in text.split(separator: ",") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch pair.count {
            case 2: try arguments.set(String(pair[0]), String(pair[1]))
            default: try arguments.set("personality", String(item))
            }
        }
        return try arguments.configured()
    }
}
