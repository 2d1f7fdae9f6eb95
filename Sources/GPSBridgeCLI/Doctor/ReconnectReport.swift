// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
package import GPSReceivers

/// The event after a device has disappeared while it was read.
package struct ReconnectReport: Sendable {
    /// For how long it was watched.
    package var seconds: Double
    /// The number of times it has returned.
    package var returns: Int

    /// The events observed.
    package init(seconds: Double, returns: Int) {
        self.seconds = seconds
        self.returns = returns
    }

    /// Watches until the time is over, or it has come back often enough.
    package static func watch(
        _ device: DiscoveredDevice, for seconds: Double, poller: Poller = .shared
    ) async -> ReconnectReport {
        let start = poller.now
        let returns = await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                var returns = 0
                var last = device
                for await change in DeviceDiscovery.changes() {
                    // At first udev may not have taken it away yet.
                    guard case .appeared(let new) = change, new.isReturn(of: last) else { continue }
                    last = new
                    returns += 1
                    if returns == 3 { break }
                }
                return returns
            }
            group.addTask {
                _ = await poller.sleep(until: start + .seconds(seconds))
                return nil
            }
            defer { group.cancelAll() }
            var returns = 0
            for await result in group {
                if let result { returns = result }
                group.cancelAll()
            }
            return returns
        }
        return ReconnectReport(seconds: poller.now.seconds(since: start), returns: returns)
    }
}

extension DiscoveredDevice {
    /// Whether this is the same device, plugged in anew.
    fileprivate func isReturn(of other: DiscoveredDevice) -> Bool {
        guard let key, key == other.key else { return false }
        return path != other.path || busDeviceNumber != other.busDeviceNumber
    }
}
