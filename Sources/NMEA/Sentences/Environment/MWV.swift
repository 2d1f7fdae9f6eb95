// SPDX-License-Identifier: MIT

/// Wind speed and angle.
///
///     $--MWV,x.x,a,x.x,a,A*hh
///     $WIMWV,214.8,R,10.1,N,A*1C
public struct MWV: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "MWV"
    /// Up to the unit.
    public static let minimumFieldCount = 4

    /// Degrees from the bow, 0 up to 360.
    public var angle: Double?
    /// `R` relative, `T` theoretical: as if standing still.
    public var reference: UInt8?
    /// In the unit that `unit` names.
    public var speed: Double?
    /// `K` km/h, `M` m/s, `N` knots, `S` statute miles an hour.
    public var unit: UInt8?
    /// `A` valid, `V` not.
    public var status: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&angle)
        coder.letter(&reference)
        coder.decimal(&speed, in: 0...1e9)
        coder.letter(&unit)
        coder.letter(&status)
    }

    /// Metres per second; `nil` if the unit is not one of the four.
    public var speedMetresPerSecond: Double? {
        guard let speed else { return nil }
        switch unit {
        case UInt8(ascii: "K"): return speed / 3.6
        case UInt8(ascii: "M"): return speed
        case UInt8(ascii: "N"): return Knots.metresPerSecond(speed)
        case UInt8(ascii: "S"): return speed * 0.44704
        default: return nil
        }
    }
}
