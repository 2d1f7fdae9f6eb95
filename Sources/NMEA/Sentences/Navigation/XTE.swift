// SPDX-License-Identifier: MIT
public import GNSS

/// Cross-track error.
///
///     $--XTE,A,A,x.x,a,N,a*hh
///     $GPXTE,A,A,0.67,L,N,D*07
public struct XTE: Sentence, Hashable {
    /// `XTE`.
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
    /// NMEA 2.3: where the position comes from.
    public var mode: FixQuality?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        status = fields.letter()
        lockStatus = fields.letter()
        crossTrackErrorNauticalMiles = fields.decimal(in: 0...1e9)
        steer = fields.letter()
        unit = fields.letter()
        mode = FixQuality(modeLetter: fields.letter())
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(status)
        writer.letter(lockStatus)
        writer.decimal(crossTrackErrorNauticalMiles, decimals: 1)
        writer.letter(steer)
        writer.letter(unit)
        writer.letter(mode?.modeLetter)
    }
}
