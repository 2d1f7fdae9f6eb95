// SPDX-License-Identifier: MIT
public import GNSS

/// u-blox: time, and how the receiver's clock stands to it.
///
///     $PUBX,04,hhmmss.ss,ddmmyy,x.x,x,xxA,x.x,x.x,x*hh
///     $PUBX,04,101520.00,210326,555338.00,2410,18D,495176,-12.340,21*4F
public struct PUBX04: Sentence, Hashable {
    /// `PUBX,04`.
    public static let formatter: SentenceFormatter = "PUBX,04"
    /// Up to the leap seconds.
    public static let minimumFieldCount = 5

    /// UTC.
    public var time: TimeOfDay?
    /// The day. It does not date a fix: only RMC and ZDA do.
    public var date: CalendarDate?
    /// Seconds of the GPS week, in UTC.
    public var timeOfWeek: Double?
    /// GPS weeks, counted through.
    public var week: Int?
    /// GPS time minus UTC.
    public var leapSeconds: Int?
    /// Whether the leap seconds are the firmware's, since none were received yet.
    public var isLeapSecondsAssumed: Bool = false
    /// Nanoseconds.
    public var clockBias: Double?
    /// Nanoseconds a second.
    public var clockDrift: Double?
    /// Nanoseconds of the time pulse.
    public var pulseGranularity: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        time = fields.time()
        date = fields.date()
        timeOfWeek = fields.decimal()
        week = fields.integer()
        (leapSeconds, isLeapSecondsAssumed) = Self.leapSeconds(&fields)
        clockBias = fields.decimal()
        clockDrift = fields.decimal()
        pulseGranularity = fields.decimal()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.time(time)
        writer.date(date)
        writer.decimal(timeOfWeek, decimals: 2)
        writer.integer(week)
        writer.integer(leapSeconds)
        if isLeapSecondsAssumed { writer.append(UInt8(ascii: "D")) }
        writer.decimal(clockBias, decimals: 0)
        writer.decimal(clockDrift, decimals: 3)
        writer.decimal(pulseGranularity, decimals: 0)
    }

    private static func leapSeconds(_ fields: inout FieldReader) -> (Int?, Bool) {
        let (start, end) = fields.field()
        guard end - start > 1, fields.byte(end - 1) == UInt8(ascii: "D") else {
            return (fields.wholeNumber(start, end), false)
        }
        let value = fields.wholeNumber(start, end - 1)
        return (value, value != nil)
    }
}
