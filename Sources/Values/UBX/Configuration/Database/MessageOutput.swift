// SPDX-License-Identifier: MIT

/// A message that a receiver can send periodically, with its keys in the configuration database.
public struct MessageOutput: Hashable, Sendable {
    /// The name, as u-blox spells it: `NMEA_ID_RMC` or `UBX_NAV_PVT`.
    public let name: String
    /// The class and id of the message. Sentences have the class `0xF0`, and u-blox's own sentences
    /// `0xF1`.
    public let id: UBXMessageID
    private let base: UInt32

    private init(_ name: String, _ messageClass: UInt8, _ number: UInt8, _ base: UInt32) {
        self.name = name
        id = UBXMessageID(messageClass, number)
        self.base = base
    }

    /// Returns the key of the output rate on a port, in navigation epochs per message; 0 disables
    /// the message.
    public func key(on port: UBXPort) -> ConfigurationKey {
        ConfigurationKey(base + UInt32(port.rawValue))
    }

    /// Whether the message is a sentence.
    public var isSentence: Bool { id.messageClass >= 0xF0 }

    /// Returns the message with the given id; `nil` if its keys are not known.
    public static func output(_ id: UBXMessageID) -> MessageOutput? {
        all.first { $0.id == id }
    }

    /// Returns the message and the port whose output rate the key sets; `nil` if the key does not
    /// set an output rate.
    public static func output(of key: ConfigurationKey) -> (MessageOutput, UBXPort)? {
        for port in UBXPort.all {
            if let message = all.first(where: { $0.key(on: port) == key }) {
                return (message, port)
            }
        }
        return nil
    }

    /// All messages whose keys are known.
    public static let all = [
        MessageOutput("NMEA_ID_RMC", 0xF0, 0x04, 0x2091_00AB),
        MessageOutput("NMEA_ID_VTG", 0xF0, 0x05, 0x2091_00B0),
        MessageOutput("NMEA_ID_GNS", 0xF0, 0x0D, 0x2091_00B5),
        MessageOutput("NMEA_ID_GGA", 0xF0, 0x00, 0x2091_00BA),
        MessageOutput("NMEA_ID_GSA", 0xF0, 0x02, 0x2091_00BF),
        MessageOutput("NMEA_ID_GSV", 0xF0, 0x03, 0x2091_00C4),
        MessageOutput("NMEA_ID_GLL", 0xF0, 0x01, 0x2091_00C9),
        MessageOutput("NMEA_ID_GRS", 0xF0, 0x06, 0x2091_00CE),
        MessageOutput("NMEA_ID_GST", 0xF0, 0x07, 0x2091_00D3),
        MessageOutput("NMEA_ID_ZDA", 0xF0, 0x08, 0x2091_00D8),
        MessageOutput("NMEA_ID_GBS", 0xF0, 0x09, 0x2091_00DD),
        MessageOutput("NMEA_ID_DTM", 0xF0, 0x0A, 0x2091_00A6),
        MessageOutput("NMEA_ID_VLW", 0xF0, 0x0F, 0x2091_00E7),
        MessageOutput("PUBX_ID_POLYP", 0xF1, 0x00, 0x2091_00EC),
        MessageOutput("PUBX_ID_POLYS", 0xF1, 0x03, 0x2091_00F1),
        MessageOutput("PUBX_ID_POLYT", 0xF1, 0x04, 0x2091_00F6),
        MessageOutput("UBX_NAV_PVT", 0x01, 0x07, 0x2091_0006),
        MessageOutput("UBX_NAV_SAT", 0x01, 0x35, 0x2091_0015),
        MessageOutput("UBX_NAV_STATUS", 0x01, 0x03, 0x2091_001A),
        MessageOutput("UBX_NAV_POSECEF", 0x01, 0x01, 0x2091_0024),
        MessageOutput("UBX_NAV_POSLLH", 0x01, 0x02, 0x2091_0029),
        MessageOutput("UBX_NAV_HPPOSLLH", 0x01, 0x14, 0x2091_0033),
        MessageOutput("UBX_NAV_DOP", 0x01, 0x04, 0x2091_0038),
        MessageOutput("UBX_NAV_VELECEF", 0x01, 0x11, 0x2091_003D),
        MessageOutput("UBX_NAV_VELNED", 0x01, 0x12, 0x2091_0042),
        MessageOutput("UBX_NAV_CLOCK", 0x01, 0x22, 0x2091_0065),
        MessageOutput("UBX_NAV_SBAS", 0x01, 0x32, 0x2091_006A),
        MessageOutput("UBX_NAV_PVAT", 0x01, 0x17, 0x2091_062A),
        MessageOutput("UBX_NAV_SIG", 0x01, 0x43, 0x2091_0345),
        MessageOutput("UBX_NAV_EOE", 0x01, 0x61, 0x2091_015F),
        MessageOutput("UBX_NAV_COV", 0x01, 0x36, 0x2091_0083),
        MessageOutput("UBX_NAV_SVIN", 0x01, 0x3B, 0x2091_0088),
        MessageOutput("UBX_NAV_RELPOSNED", 0x01, 0x3C, 0x2091_008D),
        MessageOutput("UBX_NAV_TIMEGPS", 0x01, 0x20, 0x2091_0047),
        MessageOutput("UBX_NAV_TIMEUTC", 0x01, 0x21, 0x2091_005B),
        MessageOutput("UBX_NAV_TIMELS", 0x01, 0x26, 0x2091_0060),
        MessageOutput("UBX_NAV_EELL", 0x01, 0x3D, 0x2091_0313),
        MessageOutput("UBX_NAV_PL", 0x01, 0x62, 0x2091_0415),
        MessageOutput("UBX_NAV2_PVT", 0x29, 0x07, 0x2091_0490),
        MessageOutput("UBX_MON_RF", 0x0A, 0x38, 0x2091_0359),
        MessageOutput("UBX_MON_HW", 0x0A, 0x09, 0x2091_01B4),
        MessageOutput("UBX_MON_COMMS", 0x0A, 0x36, 0x2091_034F),
        MessageOutput("UBX_MON_SPAN", 0x0A, 0x31, 0x2091_038B),
        MessageOutput("UBX_TIM_TP", 0x0D, 0x01, 0x2091_017D),
        MessageOutput("UBX_RXM_RTCM", 0x02, 0x32, 0x2091_0268),
        MessageOutput("UBX_RXM_COR", 0x02, 0x34, 0x2091_06B6),
        MessageOutput("UBX_RXM_RAWX", 0x02, 0x15, 0x2091_02A4),
        MessageOutput("UBX_RXM_SFRBX", 0x02, 0x13, 0x2091_0231),
        MessageOutput("UBX_SEC_SIG", 0x27, 0x09, 0x2091_0634),
        MessageOutput("UBX_SEC_SIGLOG", 0x27, 0x10, 0x2091_0689),
    ]
}
