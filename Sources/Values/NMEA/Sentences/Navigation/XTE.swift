// SPDX-License-Identifier: MIT
public import GNSS

/// Cross-track error.
///
///     $--XTE,A,A,x.x,a,N,a*hh
///     $GPXTE,A,A,0.67,L,N,D*07
public struct XTE: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "XTE"
    /// All fields up to the unit are required.
    public static let minimumFieldCount = 5

    /// `V` if there is a general Loran-C warning or the data is not valid, otherwise `A`.
    public var status: UInt8?
    /// `V` if there is a Loran-C cycle lock warning, otherwise `A`.
    public var lockStatus: UInt8?
    /// The cross-track error in nautical miles.
    public var crossTrackErrorNauticalMiles: Double?
    /// The direction to steer, `L` or `R`.
    public var steer: UInt8?
    /// The unit of the cross-track error: `N`, nautical miles.
    public var unit: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&status)
        coder.letter(&lockStatus)
        coder.decimal(&crossTrackErrorNauticalMiles, in: 0...1e9)
        coder.letter(&steer)
        coder.letter(&unit)
        coder.mode(&mode)
    }
}
