// SPDX-License-Identifier: MIT
public import GNSS

/// Time and date.
///
///     $--ZDA,hhmmss.ss,dd,mm,yyyy,xx,xx*hh
///     $GPZDA,101520.00,21,03,2026,00,00*67
public struct ZDA: Sentence, Hashable {
    /// `ZDA`.
    public static let formatter: SentenceFormatter = "ZDA"
    /// Time and date.
    public static let minimumFieldCount = 4

    /// UTC.
    public var time: TimeOfDay?
    /// The day; four digits of the year or none.
    public var date: CalendarDate?
    /// Hours to the local time zone, -13 to 13.
    public var zoneHours: Int?
    /// Minutes to the local time zone.
    public var zoneMinutes: Int?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        time = fields.time()
        date = fields.longDate()
        zoneHours = fields.signedInteger().flatMap { -13...13 ~= $0 ? $0 : nil }
        zoneMinutes = fields.integer()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.time(time)
        writer.longDate(date)
        writer.integer(zoneHours, width: 2)
        writer.integer(zoneMinutes, width: 2)
    }

    /// Opens an epoch.
    public var timing: EpochTiming { .opens(time) }

    /// The date.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(date: time == nil ? nil : date, isTrusted: true)
    }
}
