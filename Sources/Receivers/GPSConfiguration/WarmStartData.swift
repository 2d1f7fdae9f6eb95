// SPDX-License-Identifier: MIT
package import GNSS

/// The receiver that warm start data belongs to.
package struct WarmStartReceiver: Hashable, Sendable {
    /// The chip's unique number, or the model with the serial number of its USB device.
    package var name: String
    /// All texts of `MON-VER`. The data is only valid for the same firmware.
    package var firmware: String

    /// Creates a receiver.
    package init(name: String, firmware: String) { (self.name, self.firmware) = (name, firmware) }
}

/// The data that shortens a receiver's next start: its time, position and navigation database.
package struct WarmStartData: Hashable, Sendable {
    /// A position and its accuracy.
    package struct Position: Hashable, Sendable {
        /// The latitude in degrees north.
        package var latitude: Double
        /// The longitude in degrees east.
        package var longitude: Double
        /// The altitude in metres above the ellipsoid.
        package var ellipsoidalAltitude: Double
        /// The accuracy in metres, one standard deviation.
        package var accuracy: Double

        /// Creates a position.
        package init(
            latitude: Double, longitude: Double, ellipsoidalAltitude: Double, accuracy: Double
        ) {
            (self.latitude, self.longitude) = (latitude, longitude)
            (self.ellipsoidalAltitude, self.accuracy) = (ellipsoidalAltitude, accuracy)
        }
    }

    /// The seconds from the opening of the device to the first fix, with and without stored data.
    package struct FirstFixes: Hashable, Sendable {
        /// The seconds at the last start at which stored data was sent to the receiver; `nil` if
        /// they were not measured.
        package var withData: Double?
        /// The seconds at the last start without stored data; `nil` if they were not measured.
        package var withoutData: Double?
    }

    /// The receiver that the data was read from. The data is sent to no other receiver.
    package var receiver: WarmStartReceiver
    /// When the data was read, by the receiver's time.
    package var time: UTCTime
    /// The position at that time.
    package var position: Position
    /// The entries of the receiver's navigation database: payloads of `MGA-DBD`.
    package var entries: [[UInt8]] = []
    /// The measured times to the first fix.
    package var firstFixes = FirstFixes()

    /// Creates data without entries.
    package init(receiver: WarmStartReceiver, time: UTCTime, position: Position) {
        (self.receiver, self.time, self.position) = (receiver, time, position)
    }
}
