// SPDX-License-Identifier: MIT
import GNSS

/// Wind speed and angle.
///
///     $--MWV,x.x,a,x.x,a,A*hh
///     $WIMWV,214.8,R,10.1,N,A*1C
public struct MWV: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "MWV"
    /// All fields up to the unit are required.
    public static let minimumFieldCount = 4

    /// The wind angle in degrees clockwise from the bow, 0 up to 360.
    public var angle: Double?
    /// The reference of the wind: `R` relative, or `T` theoretical, as if the vessel were
    /// stationary.
    public var reference: UInt8?
    /// The wind speed in `unit`.
    public var speed: Double?
    /// The unit of the speed: `K` km/h, `M` m/s, `N` knots, `S` statute miles per hour.
    public var unit: UInt8?
    /// The status: `A` valid, `V` not valid.
    public var status: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&angle)
        coder.letter(&reference)
        coder.decimal(&speed, in: 0...1e9)
        coder.letter(&unit)
        coder.letter(&status)
    }

    /// Sets the apparent or the true wind, depending on `reference`, or removes it if it is invalid.
    /// A true wind speed from MWD is not removed.
    public func contribute(to epoch: inout Epoch) {
        let isValid = status != UInt8(ascii: "V")
        if reference == UInt8(ascii: "R") {
            epoch.fill(.apparentWindAngle, angle, isValid: isValid)
            epoch.fill(.apparentWindSpeed, speedMetresPerSecond, isValid: isValid)
        } else if reference == UInt8(ascii: "T") {
            guard isValid else { return epoch.invalidateTrueWind() }
            epoch.fill(.trueWindAngle, angle)
            epoch.fill(trueWindSpeed: speedMetresPerSecond, isFromMWD: false)
        }
    }

    /// The wind speed in metres per second; `nil` for an unknown unit.
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
