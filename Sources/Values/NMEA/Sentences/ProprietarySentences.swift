// SPDX-License-Identifier: MIT
public import GNSS

/// Attitude: heading, roll and pitch. Defined by Ashtech; receivers of other manufacturers send it,
/// too.
///
/// This type reads only sentences with a time in the first field. `PASHR,POS` and others have a
/// different meaning and are not decoded.
///
///     $PASHR,hhmmss.ss,x.x,T,x.x,x.x,x.x,x.x,x.x,x.x,x,x*hh
///     $PASHR,101520.00,305.30,T,-0.05,1.13,0.02,0.066,0.067,0.215,2,1*0F
public struct PASHR: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PASHR"

    /// The UTC time.
    public var time: TimeOfDay?
    /// The heading in degrees true.
    public var heading: Double?
    /// The roll in degrees; positive to starboard.
    public var roll: Double?
    /// The pitch in degrees; positive if the bow is up.
    public var pitch: Double?
    /// The heave in metres.
    public var heave: Double?
    /// The one-sigma error of the roll in degrees.
    public var rollError: Double?
    /// The one-sigma error of the pitch in degrees.
    public var pitchError: Double?
    /// The one-sigma error of the heading in degrees.
    public var headingError: Double?
    /// The quality of the fix: 0 no fix, 1 without RTK, 2 with RTK.
    public var quality: Int?
    /// The state of the inertial unit, as a number defined by the receiver.
    public var inertialStatus: Int?

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.fields(&fields)
        guard time != nil else { throw .otherSentence(address: fields.address.description) }
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.bearing(&heading, unit: "T")
        coder.decimal(&roll, decimals: 2)
        coder.decimal(&pitch, decimals: 2)
        coder.decimal(&heave, decimals: 2)
        coder.decimal(&rollError, in: 0...1e9, decimals: 3)
        coder.decimal(&pitchError, in: 0...1e9, decimals: 3)
        coder.decimal(&headingError, in: 0...1e9, decimals: 3)
        coder.integer(&quality)
        coder.integer(&inertialStatus)
    }

    /// The sentence belongs to the fix with the same time. Many inertial units send it more often
    /// than there are fixes. Until a satellite receiver is found on the line, the time is ignored.
    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
        epoch.fill(\.attitude.headingAccuracy, heading == nil ? nil : headingError)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
        epoch.fill(\.attitude.heave, heave)
    }
}
