// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The UBX messages and features of a u-blox chip.
struct UBXChip: Hashable, Sendable {
    /// The messages of each epoch, in order. Sentences are sent before the last message, `NAV-EOE`.
    var navigation: [UBXMessageID]
    /// The messages sent once a second, after the epoch.
    var monitoring: [UBXMessageID]
    /// The answer to a poll of `MON-VER`.
    var version: MonVER
    /// The version of `SEC-UNIQID`, which contains the chip's identity: 1 (five bytes) or 2 (six
    /// bytes). `nil` for a chip without this message.
    var identityVersion: UInt8?
    /// Whether `NAV-PVT` contains the fields after `flags3`, which generation 7 does not have.
    var hasLongPVT = true
    /// Whether `NAV-PVT` contains the flags for a confirmed date and time.
    var confirmsTime = true
    /// The bands of the RF front end.
    var bands = [Band(number: 0, noise: 92, gain: 2340)]
    /// Whether the jamming state is reported in `SEC-SIG` instead of `MON-RF`.
    var reportsJammingInSecSIG = false

    // The settings and configuration messages that the chip supports.

    /// The configuration messages that the chip understands.
    var dialect = Dialect.legacy
    /// Whether the module has flash memory.
    var hasFlash = false
    /// The factory baud rate of the UART.
    var baudRate = 9600
    /// The constellations that the chip can receive, in the order of its sentences.
    var constellations: [Constellation] = [.gps, .sbas, .glonass, .qzss]
    /// The maximum number of constellations enabled at the same time, not counting SBAS and
    /// QZSS; `nil` for no limit.
    var maximumConstellations: Int?
    /// Whether, if several constellations are enabled, all signals of each must be enabled.
    var needsBothBands = false
    /// Whether the front end receives only two of these three bands: GPS with Galileo, GLONASS,
    /// and BeiDou.
    var hasTwoBands = false
    /// Whether BeiDou's signal B1I cannot be enabled together with B1C or with GLONASS. The
    /// factory settings are an exception.
    var sharesBeiDouBand = false
    /// Whether the chip has a second UART and can send RTCM 3 corrections.
    var hasTwoUARTs = false
    /// The names of the chip's signals, as in `SignalKey.signals`.
    var signals = ["GPS_L1CA", "SBAS_L1CA", "QZSS_L1CA", "GLO_L1"]
    /// The signals that the firmware disables by default.
    var disabledSignals: Set<String> = []
    /// The UBX messages of other simulated chips that this chip does not have.
    var unknownMessages: Set<UBXMessageID> = []
    /// Keys that only this chip knows, with their default values.
    var ownKeys: [UInt32: UInt64] = [:]
    /// The minimum time between measurements, in milliseconds.
    var minimumPeriod: UInt64 = 50

    /// The set of configuration messages that a chip understands.
    enum Dialect: Hashable, Sendable {
        /// Up to M8: `CFG` messages, each with several settings.
        case legacy
        /// M9 and F9: the configuration database, and the `CFG` messages of earlier chips.
        case both
        /// M10 and later: the configuration database, and of the earlier `CFG` messages only
        /// `CFG-MSG` and `CFG-CFG`.
        case database
        /// A clone that answers all configuration messages with `ACK-NAK`.
        case refuses
        /// A clone that does not answer configuration messages.
        case ignores
    }

    /// A frequency band, with the noise level and the AGC value that the chip reports for it under
    /// open sky.
    struct Band: Hashable, Sendable {
        /// The number of the band: 0 for L1, 1 for L2.
        var number: UInt8
        var noise: UInt16
        var gain: UInt16
    }

    /// Whether the chip has the configuration database.
    var hasDatabase: Bool { dialect == .both || dialect == .database }

    /// Returns whether the chip has a message.
    func knows(_ message: UBXMessageID) -> Bool { !unknownMessages.contains(message) }

    /// Returns whether the chip has a port.
    func has(_ port: UBXPort) -> Bool {
        UBXPort.all.contains(port) && (port != .uart2 || hasTwoUARTs)
    }
}
