// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO

/// The serial line of a session, which can be written to, and whose rate can be changed during
/// reading.
package struct ControllableLine: Sendable {
    /// The time for which a converter may hold bytes received at the previous rate; usually 16 ms.
    private static let transferTime = Duration.milliseconds(50)

    private let connection: SerialConnection
    private let session: ReceiverSession
    private let driver: ReceiverDriver

    init(_ connection: SerialConnection, _ session: ReceiverSession, _ driver: ReceiverDriver) {
        (self.connection, self.session, self.driver) = (connection, session, driver)
    }

    /// The line's executor and clock.
    package var poller: Poller { connection.poller }

    /// The rate at which messages are received; `nil` during the search, or if the line has none.
    package var knownBaudRate: BaudRate? { session.knownBaudRate }

    /// Whether the line has a rate. A receiver with built-in USB has none.
    package var hasBaudRate: Bool { connection.search != nil }

    /// The present rate, as the driver reports it; `nil` if it reports none.
    var baudRate: BaudRate? { connection.baudRate }

    /// Writes all of `bytes` and waits until the driver has sent them, at most two seconds.
    ///
    /// Throws `.permissionDenied` if the tty is open for reading only, `.ioFailed` if the driver
    /// accepts nothing, `.disconnected`, or `.cancelled` once closed.
    package func write(_ bytes: [UInt8]) async throws(DeviceError) {
        try await connection.write(bytes)
    }

    /// Changes the rate. If no messages are received at it, the rate is searched for.
    ///
    /// Throws `.configurationFailed` if the chip does not support the rate.
    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        try await connection.set(baudRate)
        _ = await poller.sleep(until: poller.now + Self.transferTime)
        // On the polling thread, so that it does not run between a read and the handling of its
        // bytes.
        await withTaskExecutorPreference(poller) {
            connection.discardInput()
            driver.receive(.changed(baudRate))
        }
    }

    /// Starts or ends a dialogue that sets the rate itself: the search for the rate stays at the
    /// current one. Call it on the polling thread.
    func setDialogue(isActive: Bool) {
        driver.receive(.dialogue(isActive: isActive))
    }

    /// Calls `handle` on a separate thread for each pulse on the DCD line, until the returned value
    /// is released.
    ///
    /// Throws `.notADevice` if the tty has no such line, `.cancelled` once closed.
    package func pulses(
        _ edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) -> PulseLine {
        try connection.pulses(edge, handle)
    }
}
