// SPDX-License-Identifier: MIT
import GNSS

/// Depth below the keel, in up to three units. Older sounders send it instead of the offset in DPT.
///
///     $--DBK,x.x,f,x.x,M,x.x,F*hh
///     $SDDBK,12.5,f,3.8,M,2.1,F*27
package struct DBK: InstrumentSentence, Hashable {
    package static let formatter: SentenceFormatter = "DBK"
    /// The first two fields are required: the depth in feet and its unit.
    package static let minimumFieldCount = 2

    package var depthFeet: Double?
    package var depthMetres: Double?
    package var depthFathoms: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.depth(feet: &depthFeet, metres: &depthMetres, fathoms: &depthFathoms)
    }

    /// Sets the offset of the transducer when the depth below it is also known, unless DPT has
    /// reported the offset. The depth below the keel alone is not a depth below the transducer.
    package func contribute(to epoch: inout Epoch) {
        guard let depth else { return }
        epoch.instrumentContext.belowKeel = depth
        epoch.fillDepthOffset()
    }

    /// The depth in metres, converted from feet or fathoms if the field in metres is empty.
    package var depth: Double? {
        Depth.metres(depthMetres, feet: depthFeet, fathoms: depthFathoms)
    }
}

/// Depth below the surface, in up to three units. Older sounders send it instead of the offset in
/// DPT.
///
///     $--DBS,x.x,f,x.x,M,x.x,F*hh
///     $SDDBS,12.5,f,3.8,M,2.1,F*3F
package struct DBS: InstrumentSentence, Hashable {
    package static let formatter: SentenceFormatter = "DBS"
    /// The first two fields are required: the depth in feet and its unit.
    package static let minimumFieldCount = 2

    package var depthFeet: Double?
    package var depthMetres: Double?
    package var depthFathoms: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.depth(
            feet: &depthFeet, metres: &depthMetres, fathoms: &depthFathoms, in: 0...1e9)
    }

    /// Sets the offset of the transducer when the depth below it is also known, unless DPT has
    /// reported the offset. The depth below the surface alone is not a depth below the transducer.
    package func contribute(to epoch: inout Epoch) {
        guard let depth else { return }
        epoch.instrumentContext.belowSurface = depth
        epoch.fillDepthOffset()
    }

    /// The depth in metres, converted from feet or fathoms if the field in metres is empty.
    package var depth: Double? {
        Depth.metres(depthMetres, feet: depthFeet, fathoms: depthFathoms)
    }
}

/// Depth below the transducer, in up to three units.
///
///     $--DBT,x.x,f,x.x,M,x.x,F*hh
///     $SDDBT,16.4,f,5.0,M,2.7,F*35
public struct DBT: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "DBT"
    /// The first two fields are required: the depth in feet and its unit.
    public static let minimumFieldCount = 2

    /// The depth in feet.
    public var depthFeet: Double?
    /// The depth in metres.
    public var depthMetres: Double?
    /// The depth in fathoms.
    public var depthFathoms: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.depth(
            feet: &depthFeet, metres: &depthMetres, fathoms: &depthFathoms, in: 0...1e9)
    }

    /// Sets the depth below the transducer and, if DBK or DBS came before, the offset.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.depth, depth)
        epoch.fillDepthOffset()
    }

    /// The depth in metres, converted from feet or fathoms if the field in metres is empty.
    public var depth: Double? {
        Depth.metres(depthMetres, feet: depthFeet, fathoms: depthFathoms)
    }
}

/// Depth, and the distance of the transducer from the waterline or the keel.
///
///     $--DPT,x.x,x.x,x.x*hh
///     $SDDPT,7.9,-1.2,50.0*40
public struct DPT: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "DPT"

    /// The depth below the transducer in metres.
    public var depth: Double?
    /// The distance from the transducer in metres: positive to the waterline, negative to the keel.
    public var offset: Double?
    /// The maximum range that the sounder is set to, in metres (NMEA 3.0).
    public var maximumRange: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&depth, in: 0...1e9)
        coder.field(&offset) {
            $0.decimalWithRepeatedSign()
        } write: {
            $0.decimal($1, decimals: 1)
        }
        coder.decimal(&maximumRange)
    }

    /// Sets the depth and the offset of the transducer. An offset that is missing is calculated if
    /// DBK or DBS came before.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.depth, depth)
        if depth != nil { epoch.fill(.depthOffset, offset) }
        epoch.fillDepthOffset()
    }

    /// The depth below the keel in metres; `nil` unless the offset refers to the keel.
    public var depthBelowKeel: Double? {
        guard let depth, let offset, offset < 0 else { return nil }
        return depth + offset
    }

    /// The depth below the waterline in metres; `nil` unless the offset refers to the waterline.
    public var depthBelowSurface: Double? {
        guard let depth, let offset, offset > 0 else { return nil }
        return depth + offset
    }
}

// The fields of DBT, DBK and DBS.

extension FieldCoding where Self: ~Copyable & ~Escapable {
    /// Reads or writes a depth in six fields: in feet, metres and fathoms.
    @_lifetime(self: copy self)
    mutating func depth(
        feet: inout Double?, metres: inout Double?, fathoms: inout Double?,
        in range: ClosedRange<Double> = -.infinity ... .infinity
    ) {
        decimal(&feet, in: range, unit: "f")
        decimal(&metres, in: range, unit: "M")
        decimal(&fathoms, in: range, unit: "F")
    }
}

/// Conversions of depths to metres.
private enum Depth {
    /// Returns a depth in metres, converted from feet or fathoms if metres are missing; `nil` if
    /// all three are missing.
    static func metres(_ metres: Double?, feet: Double?, fathoms: Double?) -> Double? {
        metres ?? feet.map { $0 * 0.3048 } ?? fathoms.map { $0 * 1.8288 }
    }
}

/// Water temperature.
///
///     $--MTW,x.x,C*hh
///     $IIMTW,17.5,C*10
public struct MTW: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "MTW"

    /// The water temperature in degrees Celsius.
    public var temperature: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&temperature, unit: "C")
    }

    /// Sets the water temperature.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.waterTemperature, temperature)
    }
}

/// Longitudinal and transverse speed of the ship, through water and over ground.
///
///     $--VBW,x.x,x.x,A,x.x,x.x,A,x.x,A,x.x,A*hh
///     $VDVBW,12.1,-0.3,A,11.8,0.6,A,-0.2,A,0.5,A*59
package struct VBW: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "VBW"
    /// All fields except those about the stern are required.
    package static let minimumFieldCount = 6

    /// The longitudinal speed through the water in knots; negative astern.
    package var waterAhead: Double?
    /// The transverse speed through the water in knots; negative to port.
    package var waterAcross: Double?
    /// The status of the speed through the water: `A` valid, `V` not valid.
    private var waterStatus: UInt8?
    /// The longitudinal speed over ground in knots; negative astern.
    package var groundAhead: Double?
    /// The transverse speed over ground in knots; negative to port.
    package var groundAcross: Double?
    /// The status of the speed over ground: `A` valid, `V` not valid.
    private var groundStatus: UInt8?
    /// The transverse speed of the stern through the water in knots; negative to port (NMEA 3.0).
    package var sternWaterAcross: Double?
    /// The status of the stern's speed through the water: `A` valid, `V` not valid.
    private var sternWaterStatus: UInt8?
    /// The transverse speed of the stern over ground in knots; negative to port (NMEA 3.0).
    package var sternGroundAcross: Double?
    /// The status of the stern's speed over ground: `A` valid, `V` not valid.
    private var sternGroundStatus: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&waterAhead)
        coder.decimal(&waterAcross)
        coder.letter(&waterStatus)
        coder.decimal(&groundAhead)
        coder.decimal(&groundAcross)
        coder.letter(&groundStatus)
        coder.decimal(&sternWaterAcross)
        coder.letter(&sternWaterStatus)
        coder.decimal(&sternGroundAcross)
        coder.letter(&sternGroundStatus)
    }
}

/// Speed through the water, and heading.
///
///     $--VHW,x.x,T,x.x,M,x.x,N,x.x,K*hh
///     $VWVHW,245.1,T,241.6,M,5.3,N,9.8,K*50
package struct VHW: InstrumentSentence, Hashable {
    package static let formatter: SentenceFormatter = "VHW"
    /// All fields up to the speed in knots are required.
    package static let minimumFieldCount = 6

    /// The heading in degrees true.
    package var trueHeading: Double?
    /// The heading in degrees magnetic.
    package var magneticHeading: Double?
    /// The speed through the water in knots.
    package var speedKnots: Double?
    /// The speed through the water in kilometres per hour.
    package var speedKilometresPerHour: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueHeading, unit: "T")
        coder.bearing(&magneticHeading, unit: "M")
        coder.knots(&speedKnots)
        coder.decimal(&speedKilometresPerHour, in: 0...1e9, unit: "K")
    }

    /// Sets the speed through the water. The heading is ignored, because the compass itself also
    /// sends it.
    package func contribute(to epoch: inout Epoch) {
        epoch.fill(
            .waterSpeed,
            Knots.metresPerSecond(speedKnots)
                ?? Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour))
    }
}

/// Distance travelled, in nautical miles.
///
///     $--VLW,x.x,N,x.x,N,x.x,N,x.x,N*hh
///     $VWVLW,2514.6,N,12.7,N,2533.0,N,12.9,N*41
package struct VLW: InstrumentSentence, Hashable {
    package static let formatter: SentenceFormatter = "VLW"
    /// The distances through the water are required.
    package static let minimumFieldCount = 4

    /// The total distance through the water in nautical miles.
    package var totalWater: Double?
    /// The distance through the water since the last reset, in nautical miles.
    package var tripWater: Double?
    /// The total distance over ground in nautical miles, in later versions.
    package var totalGround: Double?
    /// The distance over ground since the last reset in nautical miles, in later versions.
    package var tripGround: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&totalWater, in: 0...1e9, unit: "N")
        coder.decimal(&tripWater, in: 0...1e9, unit: "N")
        coder.decimal(&totalGround, in: 0...1e9, unit: "N")
        coder.decimal(&tripGround, in: 0...1e9, unit: "N")
    }

    /// Sets the distances through the water.
    package func contribute(to epoch: inout Epoch) {
        epoch.fill(.log, totalWater.map { $0 * 1852 })
        epoch.fill(.tripLog, tripWater.map { $0 * 1852 })
    }
}
