// SPDX-License-Identifier: MIT
import Devices
import GPSBridge

/// The receiver of all managers that are not given one.
enum ConfiguredReceiver {
    static let source: any DeviceSource = .any
    static var isPresent: Bool { !DeviceDiscovery.receivers().isEmpty }
}
