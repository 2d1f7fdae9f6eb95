// SPDX-License-Identifier: MIT
import Devices
import Glibc
import GPSBridge
import SourceArguments

/// The receiver of all managers that are not given one.
enum ConfiguredReceiver {
    private static let configuration = ReceiverConfiguration(
        environment: ProcessInfo.processInfo.environment)

    /// One for the whole program, so that all share it, a simulated one too.
    static let source: any DeviceSource = source(of: configuration) { message in
        try? FileHandle.standardError.write(contentsOf: Data("gpsbridge: \(message)\n".utf8))
    }

    /// The source that is configured, else the first receiver that is plugged in.
    ///
    /// What makes no sense is reported, and cannot be opened: taking another receiver instead would be
    /// worse than none.
    static func source(
        of configuration: ReceiverConfiguration, report: (_ message: String) -> Void
    ) -> any DeviceSource {
        if let problem = configuration.problem {
            report("\(configuration.origin): \(problem)")
            return UnusableSource(name: configuration.origin)
        }
        guard let text = configuration.source else { return .any }
        do {
            return try SourceArgument.source(text)
        } catch let error as DeviceError where error.code == .notFound {
            // It may be plugged in later.
            return SerialSource(text)
        } catch {
            report("\(configuration.origin): \(error)")
            return UnusableSource(name: text, error: error as? DeviceError)
        }
    }

    /// Whether a receiver is configured or plugged in.
    static var isPresent: Bool {
        configuration.source != nil || !DeviceDiscovery.receivers().isEmpty
            || !DeviceDiscovery.candidates().isEmpty
    }
}

/// A source that is misspelt or of a kind that cannot be read.
struct UnusableSource: DeviceSource {
    let name: String
    var error: DeviceError?

    var origin: DataOrigin { .live }
    var identity: SourceIdentity { SourceIdentity(name) }

    func open() async throws(DeviceError) -> any DeviceConnection {
        throw error ?? DeviceError(.notADevice, device: name)
    }

    func availability() -> (any DeviceAvailability)? { nil }
}
