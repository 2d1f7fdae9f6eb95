// SPDX-License-Identifier: MIT
import GNSS

/// Speed through the water, and heading.
///
///     $--VHW,x.x,T,x.x,M,x.x,N,x.x,K*hh
///     $VWVHW,245.1,T,241.6,M,5.3,N,9.8,K*50
public struct VHW: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "VHW"
    /// All fields up to the speed in knots are required.
    public static let minimumFieldCount = 6

    /// The heading in degrees true.
    public var trueHeading: Double?
    /// The heading in degrees magnetic.
    public var magneticHeading: Double?
    /// The speed through the water in knots.
    public var speedKnots: Double?
    /// The speed through the water in kilometres per hour.
    public var speedKilometresPerHour: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueHeading, unit: "T")
        coder.bearing(&magneticHeading, unit: "M")
        coder.knots(&speedKnots)
        coder.decimal(&speedKilometresPerHour, in: 0...1e9, unit: "K")
    }

    /// Sets the speed through the water. The heading is ignored, because the compass itself also
    /// sends it.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(
            .waterSpeed,
            Knots.metresPerSecond(speedKnots)
                ?? Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour))
    }
}
