// SPDX-License-Identifier: MIT

/// The identity and the settings that a receiver reported.
public struct ReceiverState: Hashable, Sendable {
    /// A memory of the receiver.
    public enum Storage: String, CaseIterable, Sendable {
        /// Memory that lasts as long as the backup battery: minutes to weeks.
        case battery
        /// Memory that lasts.
        case flash
        /// The values of the firmware.
        case defaults
    }

    /// The receiver.
    public var identity: ReceiverIdentity
    /// The port of the chip at which we are: `UART1`, `USB`; `nil` if it is not known.
    public var port: String?
    /// The settings in effect.
    public var configuration = ReceiverConfiguration()
    /// Settings in other memories, where they could be read.
    public var stored: [Storage: ReceiverConfiguration] = [:]

    init(_ identity: ReceiverIdentity) { self.identity = identity }
}
