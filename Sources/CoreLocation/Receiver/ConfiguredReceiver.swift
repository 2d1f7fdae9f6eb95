// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The receiver of all managers created without one.
enum ConfiguredReceiver {
    private static let configuration = ReceiverConfiguration(
        environment: ProcessInfo.processInfo.environment)

    /// The source, created once so that all managers share it, even a simulated one.
    static let source: any DeviceSource = configuration.deviceSource { message in
        try? FileHandle.standardError.write(contentsOf: Data("gpsbridge: \(message)\n".utf8))
    }

    /// Whether a receiver is configured or plugged in.
    static var isPresent: Bool {
        configuration.source != nil || !DeviceDiscovery.receivers().isEmpty
            || !DeviceDiscovery.candidates().isEmpty
    }
}

/// A source with an invalid name, or of a kind that cannot be read.
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
