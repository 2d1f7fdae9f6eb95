// SPDX-License-Identifier: MIT
import GNSS

/// Converts FIT's data messages to fixes and ends of segments.
struct FITRecords {
    /// The last timestamp in FIT's seconds; `nil` before the first one.
    private var time: UInt32?
    private var isSimulated = false
    private var lapCount = 0
    private(set) var unread = UnreadValues()

    init(unread: UnreadValues = UnreadValues()) { self.unread = unread }

    /// Advances the time to the next one whose lowest five bits are `bits` (a compressed
    /// timestamp).
    mutating func advance(toLowBits bits: UInt32) {
        time = time.map { $0 &+ (bits &- $0) & 0x1F }
    }

    /// Returns the event that a message represents; `nil` for messages that are skipped. If the
    /// position of a record is out of range, the result is a fix without a position.
    ///
    /// `hasTime` is `true` if the message has a compressed timestamp. A record without any timestamp
    /// has no time.
    mutating func event(
        _ definition: FITDefinition, _ body: ArraySlice<UInt8>, hasTime: Bool = false
    ) -> InputEvent? {
        let seconds = definition.number(FITMessage.timestamp, in: body)
        if let seconds { time = UInt32(exactly: seconds) }
        switch FITMessage(rawValue: definition.message) {
        case .record:
            note([3: "heart rate", 4: "cadence", 7: "power", 13: "temperature"], definition, body)
            return fix(definition, body, at: hasTime || seconds != nil ? time : nil)
                .map { .fix($0) }
        case .event:
            // Event 0 is the timer. It starts (0) or stops (1, 4, 8 and 9).
            let isTimer = definition.number(0, in: body) == 0
            let isChange = definition.number(1, in: body).map { [0, 1, 4, 8, 9].contains($0) }
            return isTimer && isChange == true ? .segment : nil
        case .deviceInfo:
            // `FITFormat` writes this before the records.
            let text = definition.text(19, in: body)
            if let text, text.hasPrefix("origin: ") { isSimulated = text == "origin: simulated" }
            return nil
        case .session:
            // The generic sport, which gpsbridge writes, is 0.
            lapCount = 0
            note([5: "sport", 11: "calories"], definition, body)
            return .segment
        case .lap:
            if lapCount > 0 { unread.add("laps") }
            lapCount += 1
            return nil
        case .fileID, .activity, nil: return nil
        }
    }

    /// Notes the fields that have a value other than 0, but no place in a fix.
    private mutating func note(
        _ fields: KeyValuePairs<UInt8, String>, _ definition: FITDefinition,
        _ body: ArraySlice<UInt8>
    ) {
        for (number, name) in fields where definition.number(number, in: body) ?? 0 != 0 {
            unread.add(name)
        }
    }

    private func fix(
        _ definition: FITDefinition, _ body: ArraySlice<UInt8>, at time: UInt32?
    ) -> Fix? {
        func value(_ number: UInt8, scale: Double, offset: Double = 0) -> Double? {
            definition.number(number, in: body).map { (Double($0) - offset * scale) / scale }
        }
        guard let latitude = definition.number(0, in: body),
            let longitude = definition.number(1, in: body)
        else { return nil }
        var fix = Fix()
        fix.coordinate = Coordinate(
            checking: FITAngle.degrees(latitude), FITAngle.degrees(longitude))
        if let time, FITTime.dates.contains(Int64(time)),
            let instant = UTCTime(
                unixNanoseconds: (Int64(time) + FITTime.epoch) * 1_000_000_000)
        {
            fix.set(time: instant)
        }
        // Older devices write only the 16-bit fields 2 and 6.
        fix.altitude = value(78, scale: 5, offset: 500) ?? value(2, scale: 5, offset: 500)
        fix.speed = value(73, scale: 1000) ?? value(6, scale: 1000)
        fix.climb = value(32, scale: 1000)
        fix.accuracy.horizontal = value(31, scale: 1)
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return fix
    }
}
