// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// The open serial line of a session. It can be written to, and its baud rate can be changed, while
/// the session reads it.
package struct ControllableLine: Sendable {
    /// The time for which a USB converter may still hold bytes received at the previous baud rate.
    /// Most hold them for up to 16 ms.
    private static let transferTime = Duration.milliseconds(50)

    /// The open tty: its current baud rate, its pulses, and writing to it.
    package let connection: SerialConnection
    /// The identity of the tty.
    let tty: SourceIdentity
    /// The session that has the tty open.
    let session: ReceiverSession
    private let driver: ReceiverDriver

    init(_ connection: SerialConnection, _ session: ReceiverSession, _ driver: ReceiverDriver) {
        (self.connection, self.session, self.driver) = (connection, session, driver)
        tty = SourceIdentity(path: connection.name)
    }

    /// The baud rate at which messages are received; `nil` during the search or if the line has no
    /// baud rate.
    package var knownBaudRate: BaudRate? { session.knownBaudRate }

    /// Whether the line has a baud rate. A receiver with built-in USB or a kernel driver has none.
    package var hasBaudRate: Bool { connection.search != nil }

    /// Whether the line is the receiver chip's own USB port.
    var isNativeUSB: Bool { !hasBaudRate && connection.isTTY }

    /// Ensures that only one dialogue at a time uses the line.
    var turn: DialogueTurn { session.turn }

    /// Changes the baud rate of this computer's side of the line. If no messages are received at
    /// the new rate, a search for the baud rate starts.
    ///
    /// Throws `.configurationFailed` if the chip does not support the rate.
    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        try await connection.set(baudRate)
        let poller = connection.poller
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
}
