// SPDX-License-Identifier: MIT
import Devices
import GNSS
import Glibc
import SimulatedDevices

/// SOURCE as it is typed: a tty, a file, `-`, `simulated[:…]`.
enum SourceArgument {
    /// How `--help` explains it.
    static let help = """
        SOURCE is a receiver's tty, a recording (replayed at its own pace), - for standard input, or \
        simulated[:rate=HZ,radius=M,speed=M/S,seed=N,lat=DEG,lon=DEG]. Left out, it is the first \
        receiver that is plugged in.
        """

    /// The source that was meant.
    ///
    /// Throws a `UsageError` for what can be no source or has no speed, and a `DeviceError` for what
    /// is none.
    static func source(
        _ text: String, baudRate: BaudRate, speed: Double?
    ) throws -> any DeviceSource {
        if text == "simulated" || text.hasPrefix("simulated:") {
            let configuration = try simulation(text.dropFirst("simulated:".count))
            guard speed == nil else { throw speedError("a simulated receiver") }
            return SimulatedSource(configuration)
        }
        for scheme in ["tcp://", "udp://"] where text.hasPrefix(scheme) {
            throw UsageError("sources like \(scheme)… cannot be read yet: name a tty or a file")
        }
        let source = try DeviceSources.at(text, baudRate: baudRate)
        guard let speed else { return source }
        switch source {
        case is FileSource: return FileSource(text, speed: speed)
        case is StandardInputSource where isatty(STDIN_FILENO) == 0:
            return StandardInputSource(speed: speed)
        case is PipeSource: return source  // comes as fast as it is written
        default: throw speedError("a tty")
        }
    }

    /// Whether the source waits for whoever reads it, and loses nothing meanwhile.
    static func canPause(_ source: any DeviceSource) -> Bool {
        switch source {
        case is FileSource, is PipeSource: true
        case is StandardInputSource: isatty(STDIN_FILENO) == 0
        default: false
        }
    }

    /// Says what has a pace of its own.
    static func speedError(_ source: String) -> UsageError {
        UsageError("--speed is for recordings: \(source) sends when it will")
    }

    private static func simulation(
        _ text: Substring
    ) throws -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration()
        for item in text.split(separator: ",") {
            let pair = item.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else {
                throw UsageError(
                    "'\(item)' is no setting of a simulated receiver: write NAME=VALUE")
            }
            try configuration.set(String(pair[0]), String(pair[1]))
        }
        return configuration
    }
}

extension SimulatedReceiver.Configuration {
    /// Sets one of the settings by the name it has on the command line.
    mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "rate": rate = try Number.of(value, "rate", in: 0.01...50)
        case "radius": track.radius = try Number.of(value, "radius", in: 0...100_000)
        case "speed": track.speed = try Number.of(value, "speed", in: 0...500)
        case "lat": track.center.latitude = try Number.of(value, "latitude", in: -89...89)
        case "lon": track.center.longitude = try Number.of(value, "longitude", in: -180...180)
        case "seed":
            guard let number = UInt64(value) else {
                throw UsageError("seed '\(value)' is not a whole number")
            }
            seed = number
        default:
            let known = ["rate", "radius", "speed", "lat", "lon", "seed"]
            throw UsageError.unknown("setting", name, known: known)
        }
    }
}
