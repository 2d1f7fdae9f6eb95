// SPDX-License-Identifier: MIT
public import GNSS

/// Time and date.
///
///     $--ZDA,hhmmss.ss,dd,mm,yyyy,xx,xx*hh
///     $GPZDA,101520.00,21,03,2026,00,00*67
public struct ZDA: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "ZDA"
    /// The time and the date are required.
    public static let minimumFieldCount = 4

    /// The UTC time.
    public var time: TimeOfDay?
    /// The date. The year has four digits; some receivers send only two.
    public var date: CalendarDate?
    /// The hours of the local time zone's offset from UTC, -13 to 13.
    public var zoneHours: Int?
    /// The minutes of the local time zone's offset from UTC. They have the sign of `zoneHours`.
    public var zoneMinutes: Int?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.longDate(&date)
        coder.field(&zoneHours) {
            $0.signedInteger().flatMap { -13...13 ~= $0 ? $0 : nil }
        } write: {
            $0.integer($1, width: 2)
        }
        coder.integer(&zoneMinutes, width: 2)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets the date. Later epochs use it only if this epoch is not void: without a fix, some
    /// receivers send a default date.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(date: time == nil ? nil : date, needsFix: true)
    }
}
