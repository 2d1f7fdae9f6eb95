// SPDX-License-Identifier: MIT
package import GNSS

extension Receiver {
    /// The properties of a device that has just been opened.
    package struct Opening: Sendable {
        /// The name of the device.
        package var device: String
        /// Determines the origin of the bytes. It starts with the origin according to the source.
        package var origin: OriginDetector
        /// Whether the device is a tty.
        package var isSerialLine = false
        /// The parameters of the baud rate search; `nil` without a search or a baud rate.
        package var search: RateSearch?

        /// Creates an opening for a device that is not a tty.
        package init(device: String, origin: OriginDetector) {
            self.device = device
            self.origin = origin
        }
    }
}
