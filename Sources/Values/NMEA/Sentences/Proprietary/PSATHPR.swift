// SPDX-License-Identifier: MIT
public import GNSS

/// Hemisphere: heading, pitch and roll.
///
///     $PSAT,HPR,hhmmss.ss,x.x,x.x,x.x,a*hh
///     $PSAT,HPR,101520.00,123.45,1.2,-0.5,N*0F
public struct PSATHPR: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PSAT,HPR"
    /// The time and the heading are required.
    public static let minimumFieldCount = 2

    /// The UTC time.
    public var time: TimeOfDay?
    /// The heading in degrees true.
    public var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    public var pitch: Double?
    /// The roll in degrees; positive to starboard.
    public var roll: Double?
    /// The source of the heading: `N` from satellites, `G` from the gyroscope.
    public var source: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.decimal(&heading, in: 0...360, decimals: 2)
        coder.decimal(&pitch, in: -90...90, decimals: 2)
        coder.decimal(&roll, in: -180...180, decimals: 2)
        coder.letter(&source)
    }

    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }
}
