// SPDX-License-Identifier: MIT

/// Wind direction and speed.
///
///     $--MWD,x.x,T,x.x,M,x.x,N,x.x,M*hh
///     $WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F
public struct MWD: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "MWD"
    /// Up to the knots.
    public static let minimumFieldCount = 6

    /// Degrees true that the wind comes from.
    public var trueDirection: Double?
    /// Degrees magnetic that the wind comes from.
    public var magneticDirection: Double?
    /// Knots.
    public var speedKnots: Double?
    /// Metres per second.
    public var speedMetresPerSecond: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueDirection, unit: "T")
        coder.bearing(&magneticDirection, unit: "M")
        coder.knots(&speedKnots)
        coder.decimal(&speedMetresPerSecond, in: 0...1e9, unit: "M")
    }
}
