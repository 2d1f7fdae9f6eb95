// SPDX-License-Identifier: MIT
public import GNSS

/// u-blox: time, and how the receiver's clock stands to it.
///
///     $PUBX,04,hhmmss.ss,ddmmyy,x.x,x,xxA,x.x,x.x,x*hh
///     $PUBX,04,101520.00,210326,555338.00,2410,18D,495176,-12.340,21*4F
public struct PUBX04: DeclaredSentence, Hashable {
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

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.date(&date)
        coder.decimal(&timeOfWeek, decimals: 2)
        coder.integer(&week)
        coder.field(&leap) {
            Self.leap(&$0)
        } write: { writer, leap in
            writer.integer(leap.seconds)
            if leap.isAssumed { writer.append(UInt8(ascii: "D")) }
        }
        coder.decimal(&clockBias, decimals: 0)
        coder.decimal(&clockDrift, decimals: 3)
        coder.decimal(&pulseGranularity, decimals: 0)
    }

    /// `18`, or `18D` where they are assumed.
    private var leap: (seconds: Int?, isAssumed: Bool) {
        get { (leapSeconds, isLeapSecondsAssumed) }
        set { (leapSeconds, isLeapSecondsAssumed) = newValue }
    }

    private static func leap(_ fields: inout FieldReader) -> (seconds: Int?, isAssumed: Bool) {
        let field = fields.next()
        let isAssumed = field.count > 1 && fields.bytes[field.end - 1] == UInt8(ascii: "D")
        let end = isAssumed ? field.end - 1 : field.end
        let value = fields.wholeNumber(field, from: field.start, to: end)
        return (value, isAssumed && value != nil)
    }
}
