// SPDX-License-Identifier: MIT
public import GNSS

/// u-blox: time, and the offset and drift of the receiver's clock.
///
///     $PUBX,04,hhmmss.ss,ddmmyy,x.x,x,xxA,x.x,x.x,x*hh
///     $PUBX,04,101520.00,210326,555338.00,2410,18D,495176,-12.340,21*4F
public struct PUBX04: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PUBX,04"
    /// All fields up to the leap seconds are required.
    public static let minimumFieldCount = 5

    /// The UTC time.
    public var time: TimeOfDay?
    /// The date. It is not used for fixes.
    public var date: CalendarDate?
    /// The UTC time of week in seconds.
    public var timeOfWeek: Double?
    /// The GPS week, counted without rollovers.
    public var week: Int?
    /// The difference between GPS time and UTC, in seconds.
    public var leapSeconds: Int?
    /// Whether the leap seconds are the default of the firmware, because none have been received
    /// yet.
    public var isLeapSecondsAssumed: Bool = false
    /// The offset of the receiver's clock in nanoseconds.
    public var clockBias: Double?
    /// The drift of the receiver's clock in nanoseconds per second.
    public var clockDrift: Double?
    /// The granularity of the time pulse in nanoseconds.
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

    /// The leap seconds as sent: `18`, or `18D` if they are a default.
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
