// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSReceivers
import Synchronization

/// The receiver that a manager reads if it is created without a source.
enum ConfiguredReceiver {
    private static let configuration = ReceiverConfiguration(
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
struct UnusableSource: DeviceSource {
    let name: String
    /// The error that `open()` throws.
    let error: DeviceError

    var origin: DataOrigin { .live }

    func open() async throws(DeviceError) -> any DeviceConnection {
        throw error
    }
}
