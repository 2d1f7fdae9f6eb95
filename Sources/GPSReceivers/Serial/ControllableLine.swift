// SPDX-License-Identifier: MIT
package import GPSIO

/// A serial line that can be written to and whose rate can be changed while it is read.
package protocol ControllableLine: Sendable {
    /// What waits for the line, and its clock.
    var poller: Poller { get }

    /// The rate at which messages have come; `nil` while it is being searched for, or where there is none.
    var knownBaudRate: BaudRate? { get }

    /// Whether the line has a rate at all.
    var hasBaudRate: Bool { get }

    /// Writes all of `bytes` and waits until the driver has sent them, two seconds at the most.
    ///
    /// Throws `.permissionDenied` where the tty could be opened for reading only, `.ioFailed` where the
    /// driver takes nothing, `.disconnected`, or `.cancelled` once closed.
    func write(_ bytes: [UInt8]) async throws(DeviceError)

    /// Reads at another rate from now on; where no messages come at it, the rate is searched for.
    ///
    /// Throws `.configurationFailed` where the chip does not have the rate.
    func change(to baudRate: BaudRate) async throws(DeviceError)

    /// Calls `handle` with each pulse on the DCD line, on a thread of its own, as long as the value lives.
    ///
    /// Throws `.notADevice` where the tty has no such line, `.cancelled` once closed.
    func pulses(
        _ edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) -> PulseLine
}
