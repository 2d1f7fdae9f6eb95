// SPDX-License-Identifier: MIT
package import GNSS

/// A key that enables a constellation or one of its signals. To enable a constellation, set its own
/// key and the key of at least one of its signals.
public struct SignalKey: Hashable, Sendable {
    /// The name, as u-blox spells it: `GPS` or `GPS_L1CA`.
    public let name: String
    /// The constellation's number (`gnssId`).
    public let gnssID: UInt8
    /// The key in `CFG-SIGNAL`. Its value is a Boolean.
    public let key: ConfigurationKey

    /// The constellation; `nil` for an unknown `gnssID`.
    package var constellation: Constellation? { Constellation(gnssID: Int(gnssID)) }

    private init(_ name: String, gnssID: UInt8, _ key: UInt32) {
        (self.name, self.gnssID, self.key) = (name, gnssID, ConfigurationKey(key))
    }

    /// The keys of constellations.
    public static let constellations = [
        SignalKey("GPS", gnssID: 0, 0x1031_001F),
        SignalKey("SBAS", gnssID: 1, 0x1031_0020),
        SignalKey("GAL", gnssID: 2, 0x1031_0021),
        SignalKey("BDS", gnssID: 3, 0x1031_0022),
        SignalKey("QZSS", gnssID: 5, 0x1031_0024),
        SignalKey("GLO", gnssID: 6, 0x1031_0025),
        SignalKey("NAVIC", gnssID: 7, 0x1031_0026),
    ]

    /// The keys of signals.
    public static let signals = [
        SignalKey("GPS_L1CA", gnssID: 0, 0x1031_0001),
        SignalKey("GPS_L2C", gnssID: 0, 0x1031_0003),
        SignalKey("GPS_L5", gnssID: 0, 0x1031_0004),
        SignalKey("SBAS_L1CA", gnssID: 1, 0x1031_0005),
        SignalKey("GAL_E1", gnssID: 2, 0x1031_0007),
        SignalKey("GAL_E5A", gnssID: 2, 0x1031_0009),
        SignalKey("GAL_E5B", gnssID: 2, 0x1031_000A),
        SignalKey("GAL_E6", gnssID: 2, 0x1031_000B),
        SignalKey("BDS_B1", gnssID: 3, 0x1031_000D),
        SignalKey("BDS_B1C", gnssID: 3, 0x1031_000F),
        SignalKey("BDS_B2", gnssID: 3, 0x1031_000E),
        SignalKey("BDS_B2A", gnssID: 3, 0x1031_0028),
        SignalKey("BDS_B3", gnssID: 3, 0x1031_0010),
        SignalKey("QZSS_L1CA", gnssID: 5, 0x1031_0012),
        SignalKey("QZSS_L1CB", gnssID: 5, 0x1031_0039),
        SignalKey("QZSS_L1S", gnssID: 5, 0x1031_0014),
        SignalKey("QZSS_L2C", gnssID: 5, 0x1031_0015),
        SignalKey("QZSS_L5", gnssID: 5, 0x1031_0017),
        SignalKey("GLO_L1", gnssID: 6, 0x1031_0018),
        SignalKey("GLO_L2", gnssID: 6, 0x1031_001A),
        SignalKey("NAVIC_L5", gnssID: 7, 0x1031_001D),
    ]
}

extension ConfigurationKey {
    /// Whether BeiDou's signal B1I is received.
    package static let beiDouB1I = ConfigurationKey(0x1031_000D)
    /// Whether BeiDou's signal B1C is received.
    package static let beiDouB1C = ConfigurationKey(0x1031_000F)
}
