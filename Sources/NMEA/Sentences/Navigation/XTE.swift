// SPDX-License-Identifier: MIT
public import GNSS

/// Cross-track error.
///
///     $--XTE,A,A,x.x,a,N,a*hh
///     $GPXTE,A,A,0.67,L,N,D*07
public struct XTE: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "XTE"
    /// Up to the unit.
    public static let minimumFieldCount = 5

    /// `V`: warning of Loran-C, or none of the above valid.
    public var status: UInt8?
    /// `V`: Loran-C cycle lock warning; `A` otherwise.
    public var lockStatus: UInt8?
    /// Nautical miles off the track.
    public var crossTrackErrorNauticalMiles: Double?
    /// `L` or `R`: to which side to steer.
    public var steer: UInt8?
    /// `N`: nautical miles.
    public var unit: UInt8?
    /// NMEA 2.3: the source of the position.
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
