// SPDX-License-Identifier: MIT
import GNSS

/// Wind direction and speed.
///
///     $--MWD,x.x,T,x.x,M,x.x,N,x.x,M*hh
///     $WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F
public struct MWD: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "MWD"
    /// All fields up to the speed in knots are required.
    public static let minimumFieldCount = 6

    /// The direction that the wind comes from, in degrees true.
    public var trueDirection: Double?
    /// The direction that the wind comes from, in degrees magnetic.
    public var magneticDirection: Double?
    /// The wind speed in knots.
    public var speedKnots: Double?
    /// The wind speed in metres per second.
    public var speedMetresPerSecond: Double?

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        directions(&fields)
        if fields.count == 6 { readOnlySpeed(&fields) } else { speeds(&fields) }
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        directions(&coder)
        speeds(&coder)
    }

    private mutating func directions(_ coder: inout some FieldCoder) {
        coder.bearing(&trueDirection, unit: "T")
        coder.bearing(&magneticDirection, unit: "M")
    }

    private mutating func speeds(_ coder: inout some FieldCoder) {
        coder.knots(&speedKnots)
        coder.decimal(&speedMetresPerSecond, in: 0...1e9, unit: "M")
    }

    /// Reads the speed of a sentence with only one speed. PredictWind's DataHub sends it in metres
    /// per second.
    private mutating func readOnlySpeed(_ fields: inout FieldReader) {
        let speed = fields.decimal(in: Knots.range)
        switch fields.letter() {
        case nil, UInt8(ascii: "N"): speedKnots = speed
        case UInt8(ascii: "M"): speedMetresPerSecond = speed
        default: fields.countMalformed()
        }
    }

    /// Sets the direction and the speed of the wind.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.trueWindDirection, trueDirection)
        epoch.fill(.magneticWindDirection, magneticDirection)
        epoch.fill(trueWindSpeed: speed, isFromMWD: true)
    }

    /// The wind speed in metres per second, converted from knots if that field is empty.
    public var speed: Double? { speedMetresPerSecond ?? Knots.metresPerSecond(speedKnots) }
}

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

/// A sentence with the wind in eight fields: its angle from the bow, at most 180°, and the side, then
/// its speed in three units.
package protocol ShipWindSentence: InstrumentSentence {
    /// The wind angle in degrees from the bow, positive to starboard, negative to port.
    var signedAngle: Double? { get set }
    /// The wind speed in knots.
    var speedKnots: Double? { get set }
    /// The wind speed in metres per second.
    var speedMetresPerSecond: Double? { get set }
    /// The wind speed in kilometres per hour.
    var speedKilometresPerHour: Double? { get set }
}

extension ShipWindSentence {
    /// All fields up to the speed in knots are required.
    package static var minimumFieldCount: Int { 3 }

    /// The wind angle in degrees clockwise from the bow, 0 up to 360, as in MWV.
    package var angle: Double? { signedAngle?.wrappedDegrees }

    /// The wind speed in metres per second, calculated from the first unit that is present. Knots
    /// come first, because instruments send them with more digits.
    package var speed: Double? {
        Knots.metresPerSecond(speedKnots) ?? speedMetresPerSecond
            ?? Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour)
    }

    /// Reads or writes the fields.
    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&signedAngle, plus: "R", minus: "L", upTo: 180)
        coder.knots(&speedKnots)
        coder.decimal(&speedMetresPerSecond, in: 0...1e9, unit: "M")
        coder.decimal(&speedKilometresPerHour, in: 0...1e9, unit: "K")
    }
}

/// Apparent wind. Older instruments send it instead of MWV.
///
///     $--VWR,x.x,a,x.x,N,x.x,M,x.x,K*hh
///     $WIVWR,30.8,L,4.3,N,2.2,M,8.0,K*7D
package struct VWR: ShipWindSentence, Hashable {
    package static let formatter: SentenceFormatter = "VWR"

    package var signedAngle: Double?
    package var speedKnots: Double?
    package var speedMetresPerSecond: Double?
    package var speedKilometresPerHour: Double?

    package init() {}

    /// Sets the apparent wind.
    package func contribute(to epoch: inout Epoch) {
        epoch.fill(.apparentWindAngle, angle)
        epoch.fill(.apparentWindSpeed, speed)
    }
}

/// True wind as if the vessel were stationary. Older instruments send it instead of MWV.
///
///     $--VWT,x.x,a,x.x,N,x.x,M,x.x,K*hh
///     $WIVWT,30.8,L,4.3,N,2.2,M,8.0,K*7B
package struct VWT: ShipWindSentence, Hashable {
    package static let formatter: SentenceFormatter = "VWT"

    package var signedAngle: Double?
    package var speedKnots: Double?
    package var speedMetresPerSecond: Double?
    package var speedKilometresPerHour: Double?

    package init() {}

    /// Sets the true wind.
    package func contribute(to epoch: inout Epoch) {
        epoch.fill(.trueWindAngle, angle)
        epoch.fill(trueWindSpeed: speed, isFromMWD: false)
    }
}
