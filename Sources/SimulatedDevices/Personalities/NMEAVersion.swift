// SPDX-License-Identifier: MIT

/// Which fields a receiver knows of: those of NMEA 0183's editions that changed sentences here.
public enum NMEAVersion: Int, Comparable, Hashable, Sendable {
    /// 2.0: no mode letters.
    case v2_0 = 20
    /// 2.3: mode letters in RMC, GLL and VTG.
    case v2_3 = 23
    /// 4.0.
    case v4_0 = 40
    /// 4.10: a system id in GSA, a signal id in GSV, the navigation status in RMC and GNS.
    case v4_10 = 410
    /// 4.11: talkers and numbers of their own for BeiDou and QZSS.
    case v4_11 = 411

    /// Orders by age.
    public static func < (a: NMEAVersion, b: NMEAVersion) -> Bool { a.rawValue < b.rawValue }
}
