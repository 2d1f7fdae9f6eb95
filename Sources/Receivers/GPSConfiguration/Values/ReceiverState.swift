// SPDX-License-Identifier: MIT
public import GNSS

/// The identity and the settings that a receiver reported.
public struct ReceiverState: Hashable, Sendable {
    /// A memory of the receiver.
    public enum Storage: String, CaseIterable, Sendable {
        /// Memory that is kept as long as the backup battery lasts: minutes to weeks.
        case battery
        /// Permanent memory.
        case flash
        /// The default values of the firmware.
        case defaults
    }

    /// The settings of a port of the chip.
    public struct Port: Hashable, Sendable {
        /// The name of the port: `UART1`, `USB`.
        public var name: String
        /// The baud rate; `nil` for a port that is not a UART.
        public var baudRate: Int?
        /// The protocols that the port accepts: `ubx`, `nmea`, `rtcm2`, `rtcm3`, `spartn`.
        public var input: [String] = []
        /// The protocols that the port sends.
        public var output: [String] = []
    }

    /// The chip and the firmware of the receiver.
    public var identity: ReceiverIdentity
    /// The port of the chip that this computer is connected to: `UART1`, `USB`; `nil` if it is not
    /// known.
    public var port: String?
    /// The settings in effect.
    public var configuration = ReceiverConfiguration()
    /// The constellations that the chip can receive; `nil` if it does not report them.
    public var supportedConstellations: Set<Constellation>?
    /// The maximum number of constellations at once, not counting SBAS and QZSS; `nil` if there is
    /// no limit.
    public var maximumConstellations: Int?
    /// All ports of the chip. They are read only from u-blox chips, and only if the request reads
    /// stored values.
    public var ports: [Port] = []
    /// The settings in other memories, if they could be read.
    public var stored: [Storage: ReceiverConfiguration] = [:]

    package init(_ identity: ReceiverIdentity) { self.identity = identity }
}
