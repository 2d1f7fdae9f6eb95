// SPDX-License-Identifier: MIT

/// A sentence, or a set of them, that a receiver says once in a cycle.
public enum CycleSentence: String, CaseIterable, Hashable, Sendable {
    /// Fix data.
    case gga = "GGA"
    /// Fix data of several constellations.
    case gns = "GNS"
    /// Position.
    case gll = "GLL"
    /// Recommended minimum.
    case rmc = "RMC"
    /// Course and speed.
    case vtg = "VTG"
    /// Satellites used, one sentence for each constellation.
    case gsa = "GSA"
    /// Satellites in view, a set for each constellation.
    case gsv = "GSV"
    /// Error statistics.
    case gst = "GST"
    /// Expected errors.
    case gbs = "GBS"
    /// Time and date.
    case zda = "ZDA"
    /// u-blox's position.
    case pubx00 = "PUBX,00"
    /// Garmin's errors.
    case pgrme = "PGRME"
    /// Garmin's altitude.
    case pgrmz = "PGRMZ"
    /// Garmin's datum.
    case pgrmm = "PGRMM"
    /// Trimble's position.
    case ptnlGGK = "PTNL,GGK"
}
