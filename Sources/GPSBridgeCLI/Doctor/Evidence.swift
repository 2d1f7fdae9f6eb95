// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// All that is known about a receiver, for `Diagnosis` to evaluate.
package struct Evidence: Sendable {
    /// A tty with USB behind it.
    package struct TTY: Sendable {
        package var path: String
        /// Vendor and product id: `1546:01a7`.
        package var id: String
        package var model: String
        package var driver: String?
        /// Known for, or declared, a receiver that speaks NMEA.
        package var sendsNMEA = true
        package var isReceiver = true
        /// By one of ours or the administrator's rules.
        package var isDeclared = false
        package var isIgnoredByModemManager = false
        /// The serial number that USB reports; many devices have none.
        package var serialNumber: String?
        /// A name that stays the same, by serial number or socket.
        package var stablePath: String?
        /// Milliseconds for which the converter keeps bytes back, as set once it was open.
        package var latencyTimer: Int?
        /// Where power saving that is on for it can be switched off.
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

    /// The device that was examined: a name given by the user, or the receiver that was found; `nil` if none
    /// was found.
    package var name: String?
    /// Its properties from USB.
    package var tty: TTY?
    /// Other ttys that are or may be receivers.
    package var others: [TTY] = []
    /// Ttys that are something else, by all that is known.
    package var strangers: [TTY] = []
    /// The tty of the board's own serial pins, as of a Raspberry Pi.
    package var boardLine: String?
    /// Receivers and converters without a tty.
    package var unboundDevices: [UnboundDevice] = []
    /// Whether there is a udevd, whose rules can be read.
    package var isUdevRunning = true
    package var isModemManagerRunning = false
    /// The files of gpsbridge's rules that are installed.
    package var ruleFiles: [String] = []
    /// The reason why it could not be opened or read.
    package var failure: DeviceError?
    /// Live, recorded or invented.
    package var origin = DataOrigin.live
    /// Whether the user has given a baud rate.
    package var isRateGiven = false
    /// Whether it is reached over the network, without a device of this machine's.
    package var isNetwork: Bool { name?.contains("://") == true }
    /// Whether it is a pipe, or standard input, without a device behind it that is known.
    package var isPipe = false
    /// The format of a file that is not what a receiver sent, such as GPX.
    package var format: String?
    /// What happened to it after it had gone.
    package var reconnects: ReconnectReport?
    /// The data received; `nil` if it could not be opened.
    package var line: LineReport?
    /// The maximum error of the system's clock in seconds; `nil` if it is not synchronised.
    package var clockError: Double?
    /// The day by the system clock.
    package var today: CalendarDate?

    /// Nothing found out yet.
    package init() {}
}
