// SPDX-License-Identifier: MIT
public import GNSS

/// Attitude: heading, roll and pitch. Ashtech's, and sent by many others.
///
/// Only with a time in its first field: `PASHR,POS` and others are something else, and raw.
///
///     $PASHR,hhmmss.ss,x.x,T,x.x,x.x,x.x,x.x,x.x,x.x,x,x*hh
///     $PASHR,101520.00,305.30,T,-0.05,1.13,0.02,0.066,0.067,0.215,2,1*0F
public struct PASHR: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PASHR"

    /// UTC.
    public var time: TimeOfDay?
    /// Degrees true.
    public var heading: Double?
    /// Degrees, positive to starboard.
    public var roll: Double?
    /// Degrees, positive with the bow up.
    public var pitch: Double?
    /// Metres.
    public var heave: Double?
    /// Degrees, one sigma.
    public var rollError: Double?
    /// Degrees, one sigma.
    public var pitchError: Double?
    /// Degrees, one sigma.
    public var headingError: Double?
    /// 0 no fix, 1 without RTK, 2 with RTK.
    public var quality: Int?
    /// State of the inertial unit, as the receiver numbers it.
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
        coder.decimal(&rollError, decimals: 3)
        coder.decimal(&pitchError, decimals: 3)
        coder.decimal(&headingError, decimals: 3)
        coder.integer(&quality)
        coder.integer(&inertialStatus)
    }

    /// Attaches to the fix of its time: many inertial units send it more often than fixes.
    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
        epoch.fill(\.attitude.headingAccuracy, heading == nil ? nil : headingError)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
        epoch.fill(\.attitude.heave, heave)
    }
}
