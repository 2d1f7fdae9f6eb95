// SPDX-License-Identifier: MIT
import GPSBridge
package import GPSReceivers
import SimulatedDevices

/// The receiver that is configured, and the file or variable that configures it.
///
/// `GPSBRIDGE_SOURCE` counts before `gpsbridge/gpsbridge.conf` in `$XDG_CONFIG_HOME` (`~/.config`), and
/// that before `/etc/gpsbridge/gpsbridge.conf`. A configuration file has lines `source = SOURCE`:
///
///     # which receiver programs that import CoreLocation use
///     source = /dev/serial/by-id/usb-u-blox_AG_u-blox_GNSS_receiver-if00
package struct ReceiverConfiguration: Equatable, Sendable {
    /// The source as it is typed on the command line; `nil` if none is configured.
    package private(set) var source: String?
    /// The place of the setting: `GPSBRIDGE_SOURCE`, or a file.
    package private(set) var origin = ""
    /// The problem of a configuration file; `nil` if it is correct.
    package private(set) var problem: String?

    /// Reads the environment and the files.
    package init(
        environment: [String: String],
        read: (_ path: String) throws -> String? = ReceiverConfiguration.read
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

    /// The files, in the order in which they count.
    static func files(_ environment: [String: String]) -> [String] {
        let home = environment["HOME"].map { "\($0)/.config" }
        // As the XDG specification has it, a relative path counts for nothing.
        let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        return [own, "/etc"].compactMap { $0.map { "\($0)/gpsbridge/gpsbridge.conf" } }
    }

    /// The text of a file; `nil` if there is none.
    package static func read(_ path: String) throws -> String? {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// The source that is configured, else the first receiver that is plugged in.
    ///
    /// An invalid configuration is reported, and its source cannot be opened: another receiver in its place
    /// would give wrong positions.
    package func deviceSource(report: (_ message: String) -> Void) -> any DeviceSource {
        if let problem {
            report("\(origin): \(problem)")
            return UnusableSource(name: origin)
        }
        guard let source else { return .any }
        do {
            return try SourceArgument.source(source)
        } catch let error as DeviceError where error.code == .notFound {
            // It may be plugged in later.
            return SerialSource(source)
        } catch {
            report("\(origin): \(error)")
            return UnusableSource(name: source, error: error as? DeviceError)
        }
    }

    private static func source(in text: String) throws -> String? {
        var source: String?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
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
