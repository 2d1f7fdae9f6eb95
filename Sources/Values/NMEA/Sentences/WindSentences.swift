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
