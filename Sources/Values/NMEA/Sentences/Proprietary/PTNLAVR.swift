// SPDX-License-Identifier: MIT
public import GNSS

/// Trimble: the attitude of the vector between two antennas.
///
///     $PTNL,AVR,hhmmss.ss,x.x,Yaw,x.x,Tilt,x.x,Roll,x.x,x,x.x,xx*hh
///     $PTNL,AVR,101520.00,+52.1531,Yaw,-0.0806,Tilt,,,12.575,3,1.4,16*3C
public struct PTNLAVR: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PTNL,AVR"
    /// All fields up to the quality are required.
    public static let minimumFieldCount = 9

    /// The UTC time.
    public var time: TimeOfDay?
    /// The heading in degrees true.
    public var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    public var pitch: Double?
    /// The roll in degrees; positive to starboard.
    public var roll: Double?
    /// The distance between the antennas in metres.
    public var range: Double?
    /// The quality: 0 no solution, 1 autonomous, 2 RTK float, 3 RTK fixed, 4 differential.
    public var quality: Int?
    /// The position dilution of precision.
    public var pdop: Double?
    /// The number of satellites used.
    public var satellites: Int?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.decimal(&heading, in: -360...360, decimals: 4)
        coder.reserved("Yaw")
        coder.decimal(&pitch, in: -90...90, decimals: 4)
        coder.reserved("Tilt")
        coder.decimal(&roll, in: -180...180, decimals: 4)
        coder.reserved(roll == nil ? "" : "Roll")
        coder.decimal(&range, in: 0...1e6, decimals: 3)
        coder.integer(&quality)
        coder.dilution(&pdop)
        coder.integer(&satellites, width: 2)
    }

    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        guard quality != 0 else { return }
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }
}
