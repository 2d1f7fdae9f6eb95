// SPDX-License-Identifier: MIT
public import GNSS

/// Unicore, ComNav and others: position, attitude and velocity. Only the attitude is used, because
/// receivers send the position in other sentences, too.
///
///     $KSXT,yyyymmddhhmmss.ss,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x,x,…*hh
///     $KSXT,20260321101520.00,16.37,48.2,171.4,123.4,1.2,90.0,9.26,0.5,3,3,12,12*2F
public struct KSXT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "KSXT"
    /// All fields up to the quality of the heading are required.
    public static let minimumFieldCount = 11

    /// The UTC date and time as fourteen digits and decimals.
    public var instant: String?
    /// The longitude in degrees.
    public var longitude: Double?
    /// The latitude in degrees.
    public var latitude: Double?
    /// The height in metres.
    public var height: Double?
    /// The heading in degrees true.
    public var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    public var pitch: Double?
    /// The course over ground in degrees.
    public var course: Double?
    /// The speed over ground in kilometres per hour.
    public var speedKilometresPerHour: Double?
    /// The roll in degrees; positive to starboard.
    public var roll: Double?
    /// The quality of the position: 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed.
    public var quality: Int?
    /// The quality of the heading: 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed.
    public var headingQuality: Int?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&instant)
        coder.decimal(&longitude, in: -180...180, decimals: 8)
        coder.decimal(&latitude, in: -90...90, decimals: 8)
        coder.decimal(&height, decimals: 4)
        coder.decimal(&heading, in: 0...360, decimals: 2)
        coder.decimal(&pitch, in: -90...90, decimals: 2)
        coder.decimal(&course, in: 0...360, decimals: 2)
        coder.decimal(&speedKilometresPerHour, in: 0...1e6, decimals: 3)
        coder.decimal(&roll, in: -180...180, decimals: 2)
        coder.integer(&quality)
        coder.integer(&headingQuality)
    }

    /// The time of day; `nil` if `instant` is not a date and a time.
    public var time: TimeOfDay? {
        guard let digits = instant?.utf8.dropFirst(8) else { return nil }
        let numbers = digits.prefix(6).compactMap { 0x30...0x39 ~= $0 ? Int($0 - 0x30) : nil }
        guard numbers.count == 6 else { return nil }
        var (nanosecond, unit) = (0, 100_000_000)
        for digit in digits.dropFirst(7).prefix(9) where 0x30...0x39 ~= digit {
            nanosecond += Int(digit - 0x30) * unit
            unit /= 10
        }
        return TimeOfDay(
            hour: 10 * numbers[0] + numbers[1], minute: 10 * numbers[2] + numbers[3],
            second: 10 * numbers[4] + numbers[5], nanosecond: nanosecond)
    }

    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        guard let headingQuality, headingQuality != 0 else { return }
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }
}
