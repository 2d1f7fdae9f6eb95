// SPDX-License-Identifier: MIT

/// Speed through the water, and heading.
///
///     $--VHW,x.x,T,x.x,M,x.x,N,x.x,K*hh
///     $VWVHW,245.1,T,241.6,M,5.3,N,9.8,K*50
public struct VHW: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "VHW"
    /// Up to the knots.
    public static let minimumFieldCount = 6

    /// Degrees true.
    public var trueHeading: Double?
    /// Degrees magnetic.
    public var magneticHeading: Double?
    /// Knots.
    public var speedKnots: Double?
    /// Kilometres an hour.
    public var speedKilometresPerHour: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueHeading, unit: "T")
        coder.bearing(&magneticHeading, unit: "M")
        coder.knots(&speedKnots)
        coder.decimal(&speedKilometresPerHour, in: 0...1e9, unit: "K")
    }
}
