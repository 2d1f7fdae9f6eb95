// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
package import GPSReceivers

/// How often a device came back after it had disappeared while it was read.
package struct ReconnectReport: Sendable {
    /// How long the device was watched, in seconds.
    package var seconds: Double
    /// The number of times that the device came back.
    package var returns: Int

    /// Creates a report.
    package init(seconds: Double, returns: Int) {
        self.seconds = seconds
        self.returns = returns
    }

    /// Watches for `seconds`, or until the device has come back three times.
    package static func watch(
        _ device: DiscoveredDevice, for seconds: Double, poller: Poller = .shared
    ) async -> ReconnectReport {
        let start = poller.now
        let returns = await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                var returns = 0
                var last = device
                for await change in DeviceDiscovery.changes() {
                    // The same device may be reported again before udev has removed it.
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
    /// Returns whether this is the same device as `other` after it was reconnected.
    fileprivate func isReturn(of other: DiscoveredDevice) -> Bool {
        guard let key, key == other.key else { return false }
        return path != other.path || busDeviceNumber != other.busDeviceNumber
    }
}
