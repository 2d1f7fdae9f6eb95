// SPDX-License-Identifier: MIT
package import GNSS

/// The constellations that the receiver uses, for chips up to M8: `CFG-GNSS`. Read the message,
/// change `isEnabled`, and write it.
package struct CfgGNSS: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x3E)

    /// The settings of one constellation.
    package struct Block: UBXBlock {
        /// The constellation's number (`gnssId`).
        package var gnssID: UInt8 = 0
        /// The number of channels reserved for the constellation.
        package var minimumChannels: UInt8 = 0
        package var maximumChannels: UInt8 = 0
        /// The flags: bit 0 enables the constellation, and bits 16 to 23 select its signals.
        package var flags: UInt32 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integers(&gnssID, &minimumChannels, &maximumChannels)
            coder.reserved(1)
            coder.integer(&flags)
        }

        /// The constellation; `nil` for an unknown `gnssID`.
        package var constellation: Constellation? { Constellation(gnssID: Int(gnssID)) }

        package var isEnabled: Bool {
            get { flags.hasBit(0) }
            set { flags = flags & ~1 | (newValue ? 1 : 0) }
        }
    }

    package var version: UInt8 = 0
    /// The number of tracking channels that the chip has.
    package var hardwareChannels: UInt8 = 0
    /// The number of tracking channels to use; 255 means all.
    package var usedChannels: UInt8 = .max
    /// The settings of each constellation.
    package var blocks: [Block] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&version, &hardwareChannels, &usedChannels)
        coder.count(of: &blocks)
        coder.elements(&blocks)
    }
}

/// The settings of the jamming monitor, for chips up to M8: `CFG-ITFM`.
package struct CfgITFM: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x39)

    /// The thresholds of the jamming monitor. Bit 31 enables the monitor.
    package var configuration: UInt32 = 0
    /// Further settings. Bits 12 and 13 are the antenna type.
    package var configuration2: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&configuration, &configuration2)
    }
}

/// The output rate of a message in navigation epochs per message, for chips up to M8: `CFG-MSG`.
package struct CfgMSG: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x01)

    package var messageClass: UInt8 = 0
    /// The id of the message within its class.
    package var number: UInt8 = 0
    /// The rates, where 0 disables the message: one for the port that receives this `CFG-MSG`, or
    /// six for I2C, UART 1, UART 2, USB, SPI and a reserved port.
    package var rates: [UInt8] = [0]

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&messageClass, &number)
        coder.rest(&rates)
    }

    package var message: UBXMessageID { UBXMessageID(messageClass, number) }

    /// Creates a `CFG-MSG` that sets the output rate of `message` on the port that receives it, in
    /// navigation epochs per message; 0 disables the message.
    package init(_ message: UBXMessageID, rate: UInt8) {
        (messageClass, number, rates) = (message.messageClass, message.number, [rate])
    }

    /// Returns the frame of a request for the output rates of a message.
    package static func poll(_ message: UBXMessageID) -> [UInt8] {
        UBXFrame.bytes(id, payload: [message.messageClass, message.number])
    }
}

/// The navigation settings, for chips up to M8: `CFG-NAV5`. Only the fields selected by `mask` take
/// effect.
package struct CfgNAV5: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x24)

    /// A set of fields that take effect.
    package struct Mask: UBXValue, OptionSet {
        package var rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        package static let dynamicModel = Mask(rawValue: 0x1)
        package static let minimumElevation = Mask(rawValue: 0x2)
        package static let fixMode = Mask(rawValue: 0x4)
        /// The speed and distance thresholds of static hold.
        package static let staticHold = Mask(rawValue: 0x40)
    }

    /// The fields that take effect.
    package var mask = Mask(rawValue: 0)
    /// The expected motion, as the number of a `DynamicModel`.
    package var dynamicModel: UInt8 = 0
    /// The fix mode: 1 for 2D only, 2 for 3D only, 3 for both.
    package var fixMode: UInt8 = 3
    /// The altitude for 2D fixes in metres.
    package var fixedAltitude = 0.0
    /// The variance of the fixed altitude in square metres.
    package var fixedAltitudeVariance = 0.0
    /// The minimum elevation in degrees.
    package var minimumElevation: Int8 = 5
    /// The time limit for dead reckoning in seconds.
    private var deadReckoningLimit: UInt8 = 0
    /// The maximum PDOP of a valid position fix.
    package var maximumPDOP = 0.0
    /// The maximum TDOP of a valid time fix.
    package var maximumTDOP = 0.0
    /// The maximum estimated position error of a valid fix, in metres.
    package var maximumPositionAccuracy: UInt16 = 0
    /// The maximum estimated time error of a valid fix, in metres: the time multiplied by the speed
    /// of light.
    package var maximumTimeAccuracy: UInt16 = 0
    /// The speed below which the reported position does not change (static hold), in centimetres
    /// per second; 0 disables this.
    package var staticHoldSpeed: UInt8 = 0
    /// The maximum age of corrections in seconds.
    package var correctionTimeout: UInt8 = 60
    /// The number of satellites whose C/N0 must exceed `cn0Threshold` for a fix.
    package var cn0SatelliteCount: UInt8 = 0
    /// The threshold of the carrier-to-noise density in dB-Hz.
    package var cn0Threshold: UInt8 = 0
    /// The distance from the held position at which static hold ends, in metres.
    package var staticHoldDistance: UInt16 = 0
    /// The UTC standard; 0 is automatic.
    package var utcStandard: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&mask)
        coder.integers(&dynamicModel, &fixMode)
        coder.scaled(&fixedAltitude, Int32.self, per: 100)
        coder.scaled(&fixedAltitudeVariance, UInt32.self, per: 10000)
        coder.integers(&minimumElevation, &deadReckoningLimit)
        coder.scaled(&maximumPDOP, &maximumTDOP, UInt16.self, per: 10)
        coder.integers(&maximumPositionAccuracy, &maximumTimeAccuracy, &staticHoldSpeed)
        coder.integers(&correctionTimeout, &cn0SatelliteCount, &cn0Threshold)
        coder.reserved(2)
        coder.integers(&staticHoldDistance, &utcStandard)
        coder.reserved(5)
    }
}

/// Expert navigation settings, for chips up to M8: `CFG-NAVX5`. Only the fields selected by the
/// masks take effect.
package struct CfgNAVX5: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x23)

    /// The version of the message: 0, 2 or 3.
    package var version: UInt16 = 0
    /// A bit mask of the fields that take effect, such as `ackAidingMask`.
    package var mask: UInt16 = 0
    /// A bit mask of further fields that take effect.
    package var mask2: UInt32 = 0
    package var minimumSatellites: UInt8 = 3
    package var maximumSatellites: UInt8 = 32
    /// The minimum carrier-to-noise density of a satellite in dB-Hz.
    package var minimumCN0: UInt8 = 0
    /// 1 if the first fix must be 3D.
    package var requires3DFirst: UInt8 = 0
    /// 1 if assistance messages are acknowledged with `MGA-ACK`.
    package var acknowledgesAiding: UInt8 = 0
    /// The earliest GPS week that a received ten-bit week number can stand for; 0 means the
    /// firmware's default.
    package var weekNumberRollover: UInt16 = 0
    /// The compensation for a permanently attenuated signal: 0 off, 255 automatic, otherwise the
    /// maximum expected C/N0 in dB-Hz.
    package var attenuationCompensation: UInt8 = 0
    /// 1 if precise point positioning is used.
    private var usesPPP: UInt8 = 0
    /// Bit 0 enables orbits predicted by the receiver (AssistNow Autonomous).
    package var autonomousAssistance: UInt8 = 0
    /// The largest accepted error of predicted orbits in metres; 0 means the firmware's default.
    package var maximumOrbitError: UInt16 = 0
    /// 1 if dead reckoning with sensors is enabled.
    private var usesDeadReckoning: UInt8 = 0
    /// The further bytes of version 3; empty in other versions.
    private var details: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&version, &mask, &mask2)
        coder.reserved(2)
        coder.integers(&minimumSatellites, &maximumSatellites, &minimumCN0)
        coder.reserved(1)
        coder.integer(&requires3DFirst)
        coder.reserved(2)
        coder.integers(&acknowledgesAiding, &weekNumberRollover, &attenuationCompensation)
        coder.reserved(5)
        coder.integers(&usesPPP, &autonomousAssistance)
        coder.reserved(2)
        coder.integer(&maximumOrbitError)
        coder.reserved(7)
        coder.integer(&usesDeadReckoning)
        coder.rest(&details)
    }

    /// The bit of `acknowledgesAiding` in `mask`.
    package static let ackAidingMask: UInt16 = 0x400
}

/// The NMEA output settings, for chips up to M8: `CFG-NMEA`. On old chips, the message has only 4
/// or 12 bytes.
package struct CfgNMEA: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x17)

    /// A bit mask. Bits 0 and 1 enable the output of invalid positions, bit 2 of invalid times, bit
    /// 3 of invalid dates and bit 5 of a frozen course. Bit 4 limits the output to GPS satellites.
    package var filter: UInt8 = 0
    /// The NMEA version: `0x21`, `0x23`, `0x40`, `0x41` (4.10) or `0x4B` (4.11).
    package var nmeaVersion: UInt8 = 0x40
    /// The maximum number of satellites per talker; 0 is unlimited.
    package var maximumSatellites: UInt8 = 0
    /// The flags: bit 0 compatible mode, bit 1 counts considered satellites as used, bit 2 limits
    /// sentences to 82 characters, bit 3 enables more decimals.
    package var flags: UInt8 = 0
    /// The constellations to omit (four bytes), the numbering of satellites and the talkers. Empty
    /// on old chips.
    package var details: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&filter, &nmeaVersion, &maximumSatellites, &flags)
        coder.rest(&details)
    }
}

/// The settings of a port, for chips up to M8: `CFG-PRT`. All fields are set at once, so read the
/// message, change it and write it.
package struct CfgPRT: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x00)

    package var port = UBXPort.uart1
    /// The settings of the TX-ready pin, which signals that data is waiting to be read.
    private var transmitReady: UInt16 = 0
    /// The data bits, parity and stop bits of a UART. Default: 8N1.
    package var mode: UInt32 = CfgPRT.mode8N1
    package var baudRate: UInt32 = 0
    /// The protocols that the port accepts.
    package var input = UBXProtocols(rawValue: 0)
    /// The protocols that the port sends.
    package var output = UBXProtocols(rawValue: 0)
    /// The flags. Bit 1 enables an extended timeout for transmission.
    package var flags: UInt16 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&port)
        coder.reserved(1)
        coder.integers(&transmitReady, &mode, &baudRate)
        coder.value(&input)
        coder.value(&output)
        coder.integer(&flags)
        coder.reserved(2)
    }

    /// Eight data bits, no parity, one stop bit.
    private static let mode8N1: UInt32 = 0x08C0

    /// The frame of a request for the settings of the port that receives it.
    package static var poll: [UInt8] { UBXFrame.bytes(id, payload: []) }

    /// Returns the frame of a request for the settings of a port.
    package static func poll(_ port: UBXPort) -> [UInt8] {
        UBXFrame.bytes(id, payload: [port.rawValue])
    }
}

/// The navigation rate, for chips up to M8: `CFG-RATE`.
package struct CfgRATE: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x08)

    /// The time between two measurements in milliseconds.
    package var measurementPeriod: UInt16 = 1000
    /// The number of measurements for each fix.
    package var navigationRatio: UInt16 = 1
    /// The time to which measurements are aligned: 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo.
    package var timeReference: UInt16 = 1

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&measurementPeriod, &navigationRatio, &timeReference)
    }
}

/// The SBAS settings, for chips up to M8: `CFG-SBAS`.
package struct CfgSBAS: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x16)

    /// The mode: bit 0 enables SBAS, bit 1 enables the test mode.
    package var mode: UInt8 = 0
    /// The uses of SBAS: bit 0 ranging, bit 1 corrections, bit 2 integrity.
    package var usage: UInt8 = 0
    /// The maximum number of satellites to track.
    private var maximumChannels: UInt8 = 3
    /// The satellites to search for, with one bit for each PRN from 152 to 158.
    package var scannedPRNs2: UInt8 = 0
    /// The satellites to search for, with one bit for each PRN from 120 to 151. 0 means all.
    package var scannedPRNs: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&mode, &usage, &maximumChannels)
        coder.integers(&scannedPRNs2, &scannedPRNs)
    }
}
