// SPDX-License-Identifier: MIT
public import GNSS

/// Unicore: heading, pitch and roll from two antennas.
///
///     $--HPR,hhmmss.ss,x.x,x.x,x.x,x,xx,x.x,xxxx*hh
///     $GNHPR,101520.00,348.25,-1.50,000.00,4,22,1.0,0999*47
public struct HPR: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HPR"
    /// All fields up to the quality are required.
    public static let minimumFieldCount = 5

    /// The UTC time.
    public var time: TimeOfDay?
    /// The heading in degrees true.
    public var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    public var pitch: Double?
    /// The roll in degrees. Two antennas cannot measure it, so receivers send 0.
    public var roll: Double?
    /// The quality, as in GGA: 0 means no solution.
    public var quality: Int?
    /// The number of satellites used.
    public var satellites: Int?
    /// The time since the last correction, in seconds.
    public var correctionAge: Double?
    /// The id of the reference station.
    public var station: Int?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.decimal(&heading, in: 0...360, decimals: 2)
        coder.decimal(&pitch, in: -90...90, decimals: 2)
        coder.decimal(&roll, in: -180...180, decimals: 2)
        coder.integer(&quality)
        coder.integer(&satellites, width: 2)
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.integer(&station, width: 4)
    }

    public var timing: EpochTiming { .attaches(time) }

    /// Sets heading and pitch. A roll of exactly 0 means that it is unknown.
    public func contribute(to epoch: inout Epoch) {
        guard let quality, quality != 0 else { return }
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll == 0 ? nil : roll)
    }
}
