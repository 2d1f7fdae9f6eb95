// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// Everything that was found out about a receiver. `Diagnosis` evaluates it.
package struct Evidence: Sendable {
    /// A tty of a USB device.
    package struct TTY: Sendable {
        package var path: String
        /// The vendor and product ID, such as `1546:01a7`.
        package var id: String
        package var model: String
        package var driver: String?
        /// Whether the device is known or declared to be a receiver that sends NMEA.
        package var sendsNMEA = true
        package var isReceiver = true
        /// Whether a udev rule of gpsbridge or the administrator declares the device a receiver.
        package var isDeclared = false
        /// Whether the device has a name in `/dev/gnss`, which gpsbridge's udev rules create.
        package var isNamedByRules = false
        package var isIgnoredByModemManager = false
        /// The serial number that USB reports; `nil` for many devices.
        package var serialNumber: String?
        /// A persistent path, based on the serial number or the USB port; `nil` if udev has created
        /// none.
        package var stablePath: String?
        /// The latency timer of an FTDI converter in milliseconds: how long it buffers bytes. `nil`
        /// for other devices, and until the device has been opened.
        package var latencyTimer: Int?
        /// The path of the sysfs file that controls the device's power saving; `nil` if power
        /// saving is off.
        package var powerControl: String?
        /// The paths of the other ttys of the same USB device.
        package var siblings: [String] = []

        package init(path: String, id: String, model: String, driver: String? = nil) {
            self.path = path
            self.id = id
            self.model = model
            self.driver = driver
        }
    }

    /// The name of the examined device, given by the user or of the receiver that was found; `nil`
    /// if none was found.
    package var name: String?
    /// The examined device's USB properties; `nil` if it is not a USB device.
    package var tty: TTY?
    /// The ttys, except that of the examined device, that are or may be receivers.
    package var others: [TTY] = []
    /// The ttys that are probably not receivers.
    package var nonReceivers: [TTY] = []
    /// The path of the tty on the board's serial pins, for example on a Raspberry Pi; `nil` if
    /// there is none.
    package var boardLine: String?
    /// The receivers and serial converters without a tty.
    package var unboundDevices: [UnboundDevice] = []
    /// Whether udevd runs, so that its rules can be read.
    package var isUdevRunning = true
    package var isModemManagerRunning = false
    /// Whether gpsbridge's service is installed but leaves the receivers to gpsd, which is enabled.
    package var isServiceYieldingToGPSD = false
    /// The paths of gpsbridge's installed udev rules that give access to devices.
    package var ruleFiles: [String] = []
    /// The error that occurred when the device was opened or read; `nil` if there was none.
    package var failure: DeviceError?
    /// Whether the data is live, recorded or simulated.
    package var origin = DataOrigin.live
    /// Whether the user has specified a baud rate.
    package var isRateGiven = false
    /// Whether `doctor` runs as root, which can see the open files of all programs.
    package var isRoot = false
    /// Whether the receiver is read over the network.
    package var isNetwork: Bool { name?.contains("://") == true }
    /// Whether the source is a pipe or standard input without a known device.
    package var isPipe = false
    /// The name of the format, such as GPX, if the source is a track file; `nil` for a receiver's
    /// output.
    package var format: String?
    /// How often the device came back after it had disappeared; `nil` if it did not disappear.
    package var reconnects: ReconnectReport?
    /// The received data; `nil` if the source could not be opened.
    package var line: LineReport?
    /// The maximum error of the system's clock in seconds; `nil` if it is not synchronised.
    package var clockError: Double?
    /// The date according to the system's clock.
    package var today: CalendarDate?

    /// Creates evidence with default values: nothing has been found out yet.
    package init() {}
}
