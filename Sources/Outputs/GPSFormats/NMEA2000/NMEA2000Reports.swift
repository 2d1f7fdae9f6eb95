// SPDX-License-Identifier: MIT
package import GNSS

/// Creates the NMEA 2000 messages about one receiver, each at its own rate.
///
/// Only the complete fix (129029) can be marked as simulated. Therefore, a fix from a simulated
/// receiver or a recording is sent only in that message, and the values in all other messages are
/// *not available*. If the origin is not known yet, all values are *not available*.
package struct NMEA2000Reports: Sendable {
    private var rapid = NMEA2000Pace(.milliseconds(100))
    private var second = NMEA2000Pace(.seconds(1))
    private var sequence: UInt8 = 0
    /// Whether the last messages contained a position; `nil` before the first ones.
    private var hasPosition: Bool?

    /// Creates a writer.
    package init() {}

    /// Returns the messages about an epoch that are due. `clockTime` is the time of the fix if it
    /// is accurate enough to set a clock; otherwise `nil`.
    package mutating func messages(
        of fix: Fix, _ view: SatelliteView, origin: DataOrigin, clockTime: UTCTime?,
        at now: MonotonicInstant
    ) -> [NMEA2000Message] {
        guard !fix.isAttitudeOnly else { return [] }
        let isMarked = origin == .simulated || origin == .replay || fix.quality == .simulated
        let isLive = origin == .live && !isMarked
        let marked = isLive || isMarked ? fix : Fix()
        return messages(
            of: isLive ? fix : Fix(), isLive ? view : SatelliteView(),
            marked: marked, isSimulated: isMarked, clockTime: isLive ? clockTime : nil, at: now)
    }

    /// Returns messages without values, for a receiver that was lost. Returns none if the last
    /// messages had no position. The complete fix is the first: only this message has contained a
    /// simulated position, and a bus that is closed may accept only the first frames.
    package mutating func lost(at now: MonotonicInstant) -> [NMEA2000Message] {
        guard hasPosition == true else { return [] }
        let all = messages(
            of: Fix(), SatelliteView(), marked: Fix(), isSimulated: false, clockTime: nil, at: now)
        return all.filter { $0.group == .gnssPosition } + all.filter { $0.group != .gnssPosition }
    }

    private mutating func messages(
        of fix: Fix, _ view: SatelliteView, marked: Fix, isSimulated: Bool, clockTime: UTCTime?,
        at now: MonotonicInstant
    ) -> [NMEA2000Message] {
        let hasPosition = marked.sentCoordinate != nil
        // When a fix begins or ends, messages are sent immediately.
        if hasPosition != self.hasPosition {
            rapid.reset()
            second.reset()
        }
        self.hasPosition = hasPosition
        let (isRapid, isSecond) = (rapid.isDue(at: now), second.isDue(at: now))
        guard isRapid || isSecond else { return [] }
        sequence = sequence < 252 ? sequence + 1 : 0
        var messages: [NMEA2000Message] = []
        // Some programs use the mode in this message to decide whether positions are valid.
        if isSecond { messages.append(.dilutions(of: fix, sequence: sequence)) }
        if isRapid {
            messages.append(.position(of: fix))
            messages.append(.courseAndSpeed(of: fix, sequence: sequence))
        }
        guard isSecond else { return messages }
        messages.append(
            .gnssPosition(of: marked, view, isSimulated: isSimulated, sequence: sequence))
        if let clockTime { messages.append(.systemTime(clockTime, sequence: sequence)) }
        messages.append(.satellites(view, sequence: sequence))
        return messages
    }
}

/// Limits the rate of a message. Epochs that are slightly early or late do not change the average
/// rate.
struct NMEA2000Pace: Sendable {
    private let period: Duration
    private var due: MonotonicInstant?

    /// Creates a limit of one message per period.
    init(_ period: Duration) { self.period = period }

    /// Makes the next message due immediately.
    mutating func reset() { due = nil }

    /// Returns whether a message is due. If so, the next one is due a period later.
    mutating func isDue(at now: MonotonicInstant) -> Bool {
        let start = due ?? now
        guard now + period / 4 >= start else { return false }
        due = max(start, now - period / 4) + period
        return true
    }
}
