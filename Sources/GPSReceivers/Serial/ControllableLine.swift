// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO

/// The serial line of a session, which can be written to and whose rate can be changed while it is read.
package struct ControllableLine: Sendable {
    /// How long a converter keeps what it received at the former rate: 16 ms are usual.
    private static let transferTime = Duration.milliseconds(50)

    private let connection: SerialConnection
    private let session: ReceiverSession
    private let driver: ReceiverDriver

    init(_ connection: SerialConnection, _ session: ReceiverSession, _ driver: ReceiverDriver) {
        (self.connection, self.session, self.driver) = (connection, session, driver)
    }

    /// What waits for the line, and its clock.
    package var poller: Poller { connection.poller }

    /// The rate at which messages have come; `nil` while it is being searched for, or where there is none.
    package var knownBaudRate: BaudRate? { session.knownBaudRate }

    /// Whether the line has a rate at all. A receiver with USB of its own has none.
    package var hasBaudRate: Bool { connection.search != nil }

    /// Writes all of `bytes` and waits until the driver has sent them, two seconds at the most.
    ///
    /// Throws `.permissionDenied` where the tty could be opened for reading only, `.ioFailed` where the
    /// driver takes nothing, `.disconnected`, or `.cancelled` once closed.
    package func write(_ bytes: [UInt8]) async throws(DeviceError) {
        try await connection.write(bytes)
    }

    /// Reads at another rate from now on; where no messages come at it, the rate is searched for.
    ///
    /// Throws `.configurationFailed` where the chip does not have the rate.
    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        try await connection.set(baudRate)
        _ = await poller.sleep(until: poller.now + Self.transferTime)
        // On the polling thread: not between a read and the look at its bytes.
        await withTaskExecutorPreference(poller) {
            connection.discardInput()
            driver.receive(.changed(baudRate))
        }
    }

    /// Calls `handle` with each pulse on the DCD line, on a thread of its own, as long as the value lives.
    ///
    /// Throws `.notADevice` where the tty has no such line, `.cancelled` once closed.
    package func pulses(
        _ edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) -> PulseLine {
        try connection.pulses(edge, handle)
    }
}
