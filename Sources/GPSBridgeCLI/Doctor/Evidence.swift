// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// Everything known about a receiver, for `Diagnosis` to evaluate.
package struct Evidence: Sendable {
    /// A tty of a USB device.
    package struct TTY: Sendable {
        package var path: String
        /// The vendor and product ID: `1546:01a7`.
        package var id: String
        package var model: String
        package var driver: String?
        /// Whether it is known as, or declared, a receiver that sends NMEA.
        package var sendsNMEA = true
        package var isReceiver = true
        /// Whether a udev rule, gpsbridge's or the administrator's, declares it a receiver.
        package var isDeclared = false
        package var isIgnoredByModemManager = false
        /// The serial number that USB reports; `nil` for many devices.
        package var serialNumber: String?
        /// A persistent name, by serial number or USB port.
        package var stablePath: String?
        /// The time in milliseconds for which the converter holds bytes back, read after opening it.
        package var latencyTimer: Int?
        /// The file in which the device's power saving can be switched off; `nil` if it is off.
        package var powerControl: String?
        /// Other ttys of the same USB device.
        package var siblings: [String] = []

        package init(path: String, id: String, model: String, driver: String? = nil) {
            self.path = path
            self.id = id
            self.model = model
            self.driver = driver
        }
    }

    /// The examined device: a name given by the user, or the receiver found; `nil` if none was found.
    package var name: String?
    /// The device's USB properties.
    package var tty: TTY?
    /// Other ttys that are, or may be, receivers.
    package var others: [TTY] = []
    /// Ttys that are probably something else.
    package var nonReceivers: [TTY] = []
    /// The tty of the board's serial pins, for example of a Raspberry Pi.
    package var boardLine: String?
    /// Receivers and serial converters without a tty.
    package var unboundDevices: [UnboundDevice] = []
    /// Whether udevd runs, so that its rules can be read.
    package var isUdevRunning = true
    package var isModemManagerRunning = false
    /// Whether gpsbridge's service is installed and leaves the receivers to gpsd, which is enabled.
    package var isServiceYieldingToGPSD = false
    /// The files of gpsbridge's rules that are installed.
    package var ruleFiles: [String] = []
    /// The error of opening or reading the device.
    package var failure: DeviceError?
    /// Whether the data is live, recorded or simulated.
    package var origin = DataOrigin.live
    /// Whether the user has given a baud rate.
    package var isRateGiven = false
    /// Whether the receiver is reached over the network, without a device of this machine.
    package var isNetwork: Bool { name?.contains("://") == true }
    /// Whether it is a pipe or standard input without a known device.
    package var isPipe = false
    /// The format, such as GPX, of a file that is not the output of a receiver.
    package var format: String?
    /// The events after the device disappeared.
    package var reconnects: ReconnectReport?
    /// The data received; `nil` if it could not be opened.
    package var line: LineReport?
    /// The maximum error of the system's clock in seconds; `nil` if it is not synchronised.
    package var clockError: Double?
    /// The date by the system's clock.
    package var today: CalendarDate?

    /// Creates evidence without any information.
    package init() {}
}
