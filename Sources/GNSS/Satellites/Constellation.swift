// SPDX-License-Identifier: MIT

/// A family of navigation satellites.
public enum Constellation: UInt8, CaseIterable, Hashable, Sendable {
    /// The United States' GPS.
    case gps
    /// Satellite-based augmentation: WAAS, EGNOS, MSAS, GAGAN…
    case sbas
    /// The European Union's Galileo.
    case galileo
    /// China's BeiDou.
    case beiDou
    /// Japan's QZSS.
    case qzss
    /// Russia's GLONASS.
    case glonass
    /// India's NavIC.
    case navIC

    /// A value for each constellation, at its raw value, without an allocation. Its size is that of `allCases`, which
    /// a type cannot be given; a test compares them.
    @usableFromInline package typealias Table<Value> = InlineArray<7, Value>

    /// The letter that RINEX and receiver manuals put before a satellite's number: `G`, `R`, `E`…
    public var letter: Character {
        switch self {
        case .gps: "G"
        case .sbas: "S"
        case .galileo: "E"
        case .beiDou: "C"
        case .qzss: "J"
        case .glonass: "R"
        case .navIC: "I"
        }
    }

    /// u-blox's `gnssId`, which is gpsd's `gnssid`.
    @inlinable
    public var gnssID: Int {
        switch self {
        case .gps: 0
        case .sbas: 1
        case .galileo: 2
        case .beiDou: 3
        case .qzss: 5
        case .glonass: 6
        case .navIC: 7
        }
    }

    /// The constellation of a `gnssID`; `nil` for any other number.
    public init?(gnssID: Int) {
        guard let constellation = Self.allCases.first(where: { $0.gnssID == gnssID }) else {
            return nil
        }
        self = constellation
    }
}
