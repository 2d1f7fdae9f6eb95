// SPDX-License-Identifier: MIT

/// The talker: the first two letters of a standard sentence's address.
public struct Talker: RawRepresentable, Hashable, Sendable {
    /// Two characters, such as `GP`.
    public let rawValue: String

    /// Creates a talker from its letters, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Talker {
    /// GPS, and SBAS.
    public static let gps = Talker(rawValue: "GP")
    /// GLONASS.
    public static let glonass = Talker(rawValue: "GL")
    /// Galileo.
    public static let galileo = Talker(rawValue: "GA")
    /// BeiDou.
    public static let beiDou = Talker(rawValue: "GB")
    /// QZSS.
    public static let qzss = Talker(rawValue: "GQ")
    /// NavIC.
    public static let navIC = Talker(rawValue: "GI")
    /// Several constellations together.
    public static let gnss = Talker(rawValue: "GN")
}
