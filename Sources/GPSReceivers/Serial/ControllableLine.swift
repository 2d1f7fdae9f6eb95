// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO

/// The open serial line of a session. It can be written to, and its baud rate can be changed, while
/// the session reads it.
package struct ControllableLine: Sendable {
    /// The time for which a USB converter may still hold bytes received at the previous baud rate.
    /// Most hold them for up to 16 ms.
    private static let transferTime = Duration.milliseconds(50)

    private let connection: SerialConnection
    private let session: ReceiverSession
    private let driver: ReceiverDriver

    init(_ connection: SerialConnection, _ session: ReceiverSession, _ driver: ReceiverDriver) {
        (self.connection, self.session, self.driver) = (connection, session, driver)
    }

    /// The line's executor and clock.
    package var poller: Poller { connection.poller }

    /// The baud rate at which messages are received; `nil` during the search or if the line has no
    /// baud rate.
    package var knownBaudRate: BaudRate? { session.knownBaudRate }

    /// Whether the line has a baud rate. A receiver with built-in USB or a kernel driver has none.
    package var hasBaudRate: Bool { connection.search != nil }

    /// Whether the line is the receiver chip's own USB port.
    var isNativeUSB: Bool { !hasBaudRate && connection.isTTY }

    /// Whether bytes arrive at the speed of USB regardless of the baud rate.
    package var ignoresBaudRate: Bool { connection.ignoresBaudRate }

    /// Ensures that only one dialogue at a time uses the line.
    var turn: DialogueTurn { session.turn }

    /// The current baud rate as reported by the driver; `nil` if the driver does not report it.
    package var baudRate: BaudRate? { connection.baudRate }

    /// Writes all of `bytes` and waits, at most two seconds, until the driver has sent them.
    ///
    /// Throws `.permissionDenied` if the tty is open for reading only, `.ioFailed` if the driver
    /// does not accept the bytes in this time, `.disconnected`, or `.cancelled` if the line has
    /// been closed.
    package func write(_ bytes: [UInt8]) async throws(DeviceError) {
        try await connection.write(bytes)
    }

    /// Changes the baud rate of this computer's side of the line. If no messages are received at
    /// the new rate, a search for the baud rate starts.
    ///
    /// Throws `.configurationFailed` if the chip does not support the rate.
    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        try await connection.set(baudRate)
        _ = await poller.sleep(until: poller.now + Self.transferTime)
        // The polling thread also reads. Therefore, this cannot run between a read and the
        // processing of its bytes.
        await withTaskExecutorPreference(poller) {
            connection.discardInput()
            receive(.changed(baudRate))
        }
    }

    /// Marks the start or end of a dialogue that sets the baud rate itself. During the dialogue,
    /// the baud rate search stays at the current rate. Call this on the polling thread.
    func setDialogue(isActive: Bool) {
        receive(.dialogue(isActive: isActive))
    }

    /// States that a dialogue may have changed the receiver's settings or reset it. Call this on the
    /// polling thread.
    func setReconfigured() { driver.receive(.reconfigured) }

    /// Passes an input to the receiver and ends the pending read. The receiver's baud rate search
    /// may now have an earlier deadline than that read, which would otherwise last until the next
    /// byte.
    private func receive(_ input: Receiver.Input) {
        driver.receive(input)
        connection.interruptRead()
    }

    /// Calls `handle` on a separate thread for each pulse on the DCD line, until the returned
    /// object is released.
    ///
    /// Throws `.notADevice` if the tty has no DCD line, `.ioFailed` if waiting for pulses cannot be
    /// started for another reason, or `.cancelled` if the line has been closed.
    package func pulses(
        _ edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) -> PulseLine {
        try connection.pulses(edge, handle)
    }
}
