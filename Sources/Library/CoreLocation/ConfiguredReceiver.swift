// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
package import GPSReceivers
import SimulatedDevices
import Synchronization

/// The receiver that a manager reads if it is created without a source.
enum ConfiguredReceiver {
    private static let configuration = ConfiguredSource(
        environment: ProcessInfo.processInfo.environment)

    /// The configured source. It is created once, so that all managers share one receiver, even if
    /// it is simulated. Problems with the configuration are written to standard error.
    static let source: any DeviceSource = configuration.deviceSource { report($0) }

    /// Writes a message to standard error.
    static func report(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("gpsbridge: \(message)\n".utf8))
    }

    private static let received = Mutex<Location?>(nil)

    /// The last location that any `CLLocationManager`, `CLLocationUpdate` sequence or `CLMonitor`
    /// of this program received from the source; `nil` if none did.
    static var lastLocation: Location? { received.withLock { $0 } }

    /// Stores the last location. A location that arrived before the stored one is ignored, because
    /// a slow delegate is called late. Locations of a recording have no arrival time.
    static func store(_ location: Location) {
        received.withLock { last in
            if let new = location.arrival, let old = last?.arrival, new.lastByte < old.lastByte {
                return
            }
            last = location
        }
    }

    static func didReceive(_ location: Location) {
        store(location)
        ManagerEngine.didDetermineShared(.granted)
    }

    /// Whether a receiver is configured or a device that may be a receiver is plugged in.
    static var isPresent: Bool {
        configuration.source != nil || !DeviceDiscovery.receivers().isEmpty
            || !DeviceDiscovery.candidates().isEmpty
    }
}

/// A source that cannot be opened, because the configuration is invalid.
private struct UnusableSource: DeviceSource {
    let name: String
    /// The error that `open()` throws.
    let error: DeviceError

    var origin: DataOrigin { .live }

    func open() async throws(DeviceError) -> any DeviceConnection {
        throw error
    }
}

/// The configured receiver, and the file or environment variable that configures it.
///
/// The environment variable `GPSBRIDGE_SOURCE` has the highest precedence, followed by
/// `gpsbridge/gpsbridge.conf` in `$XDG_CONFIG_HOME` (default: `~/.config`), then by
/// `/etc/gpsbridge/gpsbridge.conf`. A configuration file contains a line `source = SOURCE`:
///
///     # which receiver programs that import CoreLocation use
///     source = /dev/serial/by-id/usb-u-blox_AG_u-blox_GNSS_receiver-if00
package struct ConfiguredSource: Equatable, Sendable {
    /// The source, written as on the command line: `/dev/ttyACM0`, `gpsd://…`; `nil` if none is
    /// configured.
    package private(set) var source: String?
    /// `GPSBRIDGE_SOURCE` or the path of the configuration file; empty if no source is configured.
    package private(set) var origin = ""
    /// Why the configuration file at `origin` cannot be used; `nil` if there is no problem.
    package private(set) var problem: String?

    /// Reads the configuration. `read` returns the contents of a file, or `nil` if it does not
    /// exist.
    package init(
        environment: [String: String],
        read: (_ path: String) throws -> String? = ConfiguredSource.read
    ) {
        if let source = environment["GPSBRIDGE_SOURCE"], !source.isEmpty {
            (self.source, origin) = (source, "GPSBRIDGE_SOURCE")
            return
        }
        for file in Self.files(environment) {
            origin = file
            do {
                guard let text = try read(file) else { continue }
                source = try Self.source(in: text)
                if source != nil { return }
            } catch {
                problem = "\(error)"
                return
            }
        }
        origin = ""
    }

    /// Returns the paths of the configuration files in order of precedence.
    private static func files(_ environment: [String: String]) -> [String] {
        let home = environment["HOME"].map { "\($0)/.config" }
        // The XDG specification requires that a relative path is ignored.
        let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        return [own, "/etc"].compactMap { $0.map { "\($0)/gpsbridge/gpsbridge.conf" } }
    }

    /// Returns the contents of a file; `nil` if it does not exist.
    package static func read(_ path: String) throws -> String? {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Returns the configured source. If none is configured, returns a source that reads the first
    /// receiver that is plugged in.
    ///
    /// If the configuration is invalid, calls `report` and returns a source that cannot be opened.
    /// Another receiver is not used instead, because its position may be a different one.
    package func deviceSource(report: (_ message: String) -> Void) -> any DeviceSource {
        if let problem {
            report("\(origin): \(problem)")
            return UnusableSource(name: origin, error: invalidSource(problem))
        }
        guard let source else { return .any }
        do {
            let configured = try SourceArgument.source(source)
            guard var file = configured as? FileSource else { return configured }
            // All managers share one replay, as they would share a receiver.
            file.sharedIdentity = .unique()
            return file
        } catch let error as DeviceError where error.code == .notFound {
            // A device that is missing now may be plugged in later.
            return SerialSource(source)
        } catch {
            report("\(origin): \(error)")
            return UnusableSource(
                name: source, error: error as? DeviceError ?? invalidSource("\(error)"))
        }
    }

    /// Returns the error for a configuration that does not name a source correctly.
    private func invalidSource(_ reason: String) -> DeviceError {
        DeviceError(.invalidSource, device: origin, detail: .reported(reason))
    }

    private static func source(in text: String) throws -> String? {
        var source: String?
        // A line may end with CR LF, which is one character.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let pair = line.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard pair.count == 2, pair[0] == "source", !pair[1].isEmpty else {
                throw LineError(description: "line \(number + 1) is not `source = SOURCE`")
            }
            source = pair[1]
        }
        return source
    }

    private struct LineError: Error, CustomStringConvertible {
        let description: String
    }
}
