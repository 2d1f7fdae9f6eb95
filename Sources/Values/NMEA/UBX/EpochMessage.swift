// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// A UBX message that contributes to a fix, a satellite view or the receiver's state.
protocol EpochMessage: UBXMessage {
    /// Reads a frame of this type and adds its contribution to the assembler. Returns `false` if
    /// the frame is malformed.
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool
}

/// A UBX message that reports values of one epoch. Its time of week identifies the epoch.
protocol TimedMessage: EpochMessage {
    var timeOfWeekMilliseconds: UInt32 { get }

    /// The time of the epoch, if the message reports it. Default: `.unreported`.
    var time: WeekClock.ReportedTime { get }

    /// Sets the values that the message reports about the fix.
    func contribute(to epoch: inout Epoch)
}

extension TimedMessage {
    var time: WeekClock.ReportedTime { .unreported }

    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        // The initializer from a frame is generic code in another module, and slower. Inlinable, it
        // would make each `UBXReader.read` generic code: UBX would take twice as long.
        var reader = UBXReader(frame.payload)
        var message = Self()
        reader.read(&message)
        guard !reader.isMalformed else { return false }
        assembler.receive(message)
        return true
    }
}

/// Finds the `EpochMessage` type of a UBX frame by its class and id.
enum EpochMessages {
    /// The message types with their ids. The list is searched linearly, so the most frequent ones
    /// are first.
    private static let known: [(id: UBXMessageID, type: any EpochMessage.Type)] =
        ([
            NavPVT.self, NavSAT.self, NavSIG.self, NavEOE.self, NavDOP.self, NavCOV.self,
            NavHPPOSLLH.self, NavSTATUS.self, NavPOSLLH.self, NavVELNED.self, NavSOL.self,
            NavSVINFO.self, NavTIMEGPS.self, NavTIMEUTC.self, NavPVAT.self, NavPL.self,
            NavRELPOSNED.self, NavCLOCK.self, NavPOSECEF.self, NavVELECEF.self,
            NavHPPOSECEF.self, MonRF.self, MonHW.self, SecSIG.self, SecOSNMA.self,
            MonSYS.self, NavATT.self, NavEELL.self,
        ] as [any EpochMessage.Type]).map { ($0.id, $0) }

    private static let noticeID = UBXMessageID(4, UBXNotice.Level.notice.rawValue)

    /// Marks the epoch as simulated if the frame is the notice `UBXNotice.simulated`. Simulated
    /// receivers send it in each epoch, because no navigation message can mark a fix as simulated.
    /// Returns `false` for any other notice.
    private static func receiveNotice(
        _ frame: UBXFrame, into assembler: inout FixAssembler
    ) -> Bool {
        guard frame.payload.count == UBXNotice.simulated.utf8.count,
            UBXNotice(frame)?.text == UBXNotice.simulated
        else { return false }
        assembler.receive(from: Address(frame.id), timing: .untimed) {
            $0.fill(quality: .simulated)
        }
        return true
    }

    /// Adds the contribution of a frame. Returns `false` if the frame is malformed or of another
    /// type.
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        if frame.id == noticeID { return receiveNotice(frame, into: &assembler) }
        for message in known where message.id == frame.id {
            return message.type.receive(frame, into: &assembler)
        }
        return false
    }
}

extension UBXFrame {
    /// The UTC time of the epoch; `nil` unless the message reports it.
    package var epochTime: TimeOfDay? {
        let report: WeekClock.ReportedTime? =
            switch id {
            case NavPVT.id: NavPVT(self)?.time
            case NavPVAT.id: NavPVAT(self)?.time
            case NavTIMEUTC.id: NavTIMEUTC(self)?.time
            default: nil
            }
        if case .utc(let time, _) = report { return time }
        return nil
    }

    /// The ids of messages that begin with the time of week. Most recordings without a UTC time
    /// contain at least one of them.
    private static let timedByWeek = [
        NavSOL.id, NavPOSLLH.id, NavTIMEGPS.id, NavSAT.id, NavSIG.id, NavEOE.id,
    ]

    /// The epoch's time of week, wrapped to a time of day; `nil` unless the message is one of
    /// `timedByWeek`. A replay uses it to keep the intervals of the recording.
    package var epochTimeOfWeek: TimeOfDay? {
        guard Self.timedByWeek.contains(id), payload.count >= 4 else { return nil }
        let milliseconds = (0..<4).reduce(0) { $0 | Int64(payload[$1]) << Int64(8 * $1) }
        return TimeOfDay(wrapping: milliseconds * 1_000_000)
    }
}

/// Calculates the UTC time for messages that contain only a time of week, from an earlier message
/// that reports both times.
struct WeekClock: Equatable, Sendable {
    enum ReportedTime {
        /// The message contains only the time of week.
        case unreported
        /// The receiver does not know the time yet.
        case unknown
        /// The UTC time; the date may be missing.
        case utc(TimeOfDay, CalendarDate?)
        /// The GPS time, with the leap seconds if the receiver knows them.
        case gps(GPSTime, leapSeconds: Int?)
    }

    private struct Known: Equatable {
        var timeOfWeek: UInt32
        var time: TimeOfDay
        var date: CalendarDate?
        /// Whether the time was calculated from GPS time.
        var isFromGPS = false
    }

    /// The maximum time in milliseconds between a message and the earlier message from which its
    /// UTC time is calculated.
    private static let maximumGap: Int64 = 10_000
    private static let week: Int64 = 604_800_000

    /// Returns the time in milliseconds from one time of week to a later one, which may be in the
    /// next week.
    static func elapsed(from earlier: UInt32, to later: UInt32) -> Int64 {
        let elapsed = Int64(later) - Int64(earlier)
        return elapsed < 0 ? elapsed + week : elapsed
    }

    /// The largest difference between the times of week of one epoch's messages, in milliseconds.
    private static let tolerance: Int64 = 10

    /// Returns the time in milliseconds from one epoch to another one, which may be earlier; `nil` if
    /// both times of week belong to the same epoch.
    static func step(from epoch: UInt32, to other: UInt32) -> Int64? {
        let elapsed = elapsed(from: epoch, to: other)
        let step = elapsed > week / 2 ? elapsed - week : elapsed
        return step.magnitude < tolerance ? nil : step
    }

    private var known: Known?
    /// The time of week of the last message, in milliseconds, if that message was late; otherwise
    /// `nil`.
    private var lateTime: UInt32?
    /// The leap seconds that the receiver has reported; `nil` until then.
    private var leapSeconds: Int?

    /// Returns the UTC time of an epoch, possibly without a date; `nil` if it is not known. The
    /// date is not corrected by `rollover`, but the leap seconds are those of the corrected date.
    mutating func time(
        of timeOfWeek: UInt32, _ report: ReportedTime, _ rollover: WeekRollover? = nil
    ) -> (time: TimeOfDay, date: CalendarDate?)? {
        switch report {
        case .unreported:
            break
        case .unknown:
            known = nil
        case .utc(let time, let date):
            known = Known(timeOfWeek: timeOfWeek, time: time, date: date)
        case .gps(let instant, let reported):
            leapSeconds = reported ?? leapSeconds
            // GPS time is used only if UTC is not known from another message, because the receiver
            // may use different leap seconds for its UTC.
            if known?.isFromGPS == false, let utc = derived(timeOfWeek) {
                known = Known(timeOfWeek: timeOfWeek, time: utc.time, date: utc.date)
            } else if let utc = instant.utc(
                leapSeconds: leapSeconds ?? Self.leapSeconds(at: instant, rollover))
            {
                known = Known(
                    timeOfWeek: timeOfWeek, time: utc.time, date: utc.date, isFromGPS: true)
            }
        }
        return derived(timeOfWeek)
    }

    /// Returns the leap seconds in the built-in table for an instant whose date `rollover`
    /// corrects; `nil` if it does not correct it.
    private static func leapSeconds(at instant: GPSTime, _ rollover: WeekRollover?) -> Int? {
        guard let rollover, let date = instant.utc()?.date else { return nil }
        let days = rollover.missingDays(of: date)
        return days == 0 ? nil : GPSTime.leapSeconds(on: date.adding(days: days))
    }

    /// Returns whether a message is late: it belongs to an earlier epoch. `step` is the time in
    /// milliseconds from the current epoch to the epoch of the message. A step backward by more
    /// than ten seconds means that the receiver has set its clock. So do two late messages in a row
    /// with increasing times, although a network may also deliver two packets late.
    mutating func isLate(_ step: Int64, at timeOfWeek: UInt32) -> Bool {
        let former = lateTime
        lateTime = nil
        guard -Self.maximumGap..<0 ~= step else { return false }
        if let former, let advance = Self.step(from: former, to: timeOfWeek), advance > 0 {
            return false
        }
        lateTime = timeOfWeek
        return true
    }

    /// Records that a message was not late.
    mutating func notePunctual() { lateTime = nil }

    private func derived(_ timeOfWeek: UInt32) -> (time: TimeOfDay, date: CalendarDate?)? {
        guard let known else { return nil }
        let elapsed = Self.elapsed(from: known.timeOfWeek, to: timeOfWeek)
        guard elapsed <= Self.maximumGap else { return nil }
        guard elapsed > 0 else { return (known.time, known.date) }
        var step = elapsed * 1_000_000
        if known.time.isLeapSecond {
            let inSecond = Int64(known.time.nanosecond) + step
            if let time = TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: Int(inSecond)) {
                return (time, known.date)
            }
            // Unix time does not count the leap second.
            step -= 1_000_000_000
        }
        guard let date = known.date else {
            return (TimeOfDay(wrapping: known.time.nanoseconds + step), nil)
        }
        let later = UTCTime(date: date, time: known.time).advanced(by: step)
        return later.map { ($0.time, $0.date) }
    }
}

extension UTCTime {
    /// Returns the instant that is `nanoseconds` later; `nil` if it is outside the range that
    /// `UTCTime` can represent.
    fileprivate func advanced(by nanoseconds: Int64) -> UTCTime? {
        let (sum, overflows) = unixNanoseconds.addingReportingOverflow(nanoseconds)
        return overflows ? nil : UTCTime(unixNanoseconds: sum)
    }
}

extension WeekClock.ReportedTime {
    /// Returns the nanoseconds to add to a message's second, which may be negative; `nil` if the
    /// number is impossible. Then the time is known to the second.
    static func fraction(_ nanoseconds: Int32) -> Int32? {
        -1_000_000_000...1_000_000_000 ~= nanoseconds ? nanoseconds : nil
    }

    /// Creates a report from a calendar date and a time of day, rounded to milliseconds.
    init(
        year: UInt16, month: UInt8, day: UInt8, hour: UInt8, minute: UInt8, second: UInt8,
        nanoseconds: Int32, isDateKnown: Bool, isTimeKnown: Bool
    ) {
        guard isTimeKnown,
            let time = TimeOfDay(hour: Int(hour), minute: Int(minute), second: Int(second))
        else {
            self = .unknown
            return
        }
        let known = isDateKnown && year > 1980
        let date =
            known ? CalendarDate(year: Int(year), month: Int(month), day: Int(day)) : nil
        // Epochs differ from whole milliseconds of UTC by up to half a millisecond, because of the
        // error of the receiver's clock.
        let nanoseconds = Int64(Self.fraction(nanoseconds) ?? 0)
        let milliseconds = floorDivided(nanoseconds + 500_000, 1_000_000)
        guard milliseconds != 0 else {
            self = .utc(time, date)
            return
        }
        let day = date ?? .unixEpoch
        var offset = milliseconds * 1_000_000
        if time.isLeapSecond, milliseconds > 0 {
            if let inLeap = TimeOfDay(
                hour: 23, minute: 59, second: 60, nanosecond: Int(offset))
            {
                self = .utc(inLeap, date)
                return
            }
            // Unix time does not count the leap second.
            offset -= 1_000_000_000
        }
        guard let exact = UTCTime(date: day, time: time).advanced(by: offset) else {
            self = .unknown
            return
        }
        self = .utc(exact.time, date == nil ? nil : exact.date)
    }
}

extension Epoch {
    /// Returns the milliseconds from this epoch to the epoch of a message with the given time of
    /// week. Returns `nil` if both are the same epoch, or if this epoch has no time of week.
    fileprivate func step(to timeOfWeek: UInt32) -> Int64? {
        self.timeOfWeek.flatMap { WeekClock.step(from: $0, to: timeOfWeek) }
    }
}

extension FixAssembler {
    /// The possible differences in seconds between the time of week, in GPS time, and the UTC time
    /// of an epoch: the leap seconds, with a reserve at both ends.
    private static let possibleLead = -2...60

    /// Adds the contribution of a message that belongs to an epoch.
    mutating func receive(_ message: some TimedMessage) {
        receive(type(of: message).id, at: message.timeOfWeekMilliseconds, message.time) {
            message.contribute(to: &$0)
        }
    }

    /// Adds the contribution of a message with the given id by calling `contribute`.
    mutating func receive(
        _ id: UBXMessageID, at timeOfWeek: UInt32, _ report: WeekClock.ReportedTime = .unreported,
        _ contribute: (inout Epoch) -> Void
    ) {
        let known = weekClock.time(of: timeOfWeek, report, rollover)
        let isReported = if case .unreported = report { false } else { true }
        if let known { beginEpochOnDifferentDay(known.date, at: known.time, Address(id)) }
        if known == nil || epoch.fix.timeOfDay == nil, let step = epoch.step(to: timeOfWeek) {
            // A message that is late, as over UDP, describes an earlier epoch.
            guard isReported || !weekClock.isLate(step, at: timeOfWeek) else { return }
            noteBeginning(before: Address(id))
            close(next: known?.time)
            begin(with: Address(id))
        } else if known == nil, !isReported, isOfOtherEpoch(timeOfWeek) {
            close(next: nil)
            begin(with: Address(id))
        }
        weekClock.notePunctual()
        receive(from: Address(id), timing: .opens(known?.time)) { epoch in
            epoch.timeOfWeek = timeOfWeek
            contribute(&epoch)
            guard isReported else { return }
            epoch.fill(date: known?.date, isTrusted: !epoch.evidence.isVoid)
        }
    }

    /// Returns whether a message's time of week contradicts the epoch's time of day. Call it if the
    /// message's UTC time is not known. The message is then the first one after a pause, or belongs
    /// to another recording in the same file.
    private func isOfOtherEpoch(_ timeOfWeek: UInt32) -> Bool {
        guard let time = epoch.fix.timeOfDay else { return false }
        let clock = TimeOfDay(secondsOfDay: Int(timeOfWeek / 1000) % 86_400)
        return !(Self.possibleLead ~= Int(clock.nanoseconds(since: time) / 1_000_000_000))
    }

    /// Begins a new epoch if a message has the epoch's time of day, but a different date, and has
    /// already occurred in the epoch. With the same date, it is the answer to a poll.
    private mutating func beginEpochOnDifferentDay(
        _ date: CalendarDate?, at time: TimeOfDay, _ address: Address
    ) {
        guard isSameInstant(time), epoch.isOnDifferentDay(from: date) else { return }
        let index = occurrences.index(of: address)
        guard occurrences.hasOccurred(index) else { return }
        close(next: time)
        begin(with: address)
    }

    /// Begins a list of satellites. If the list of an earlier epoch still waits for its signals,
    /// the satellite view is completed without them.
    mutating func beginSatellites(at timeOfWeek: UInt32) {
        if sky.timeOfWeek != timeOfWeek { completeSky() }
        sky.beginSatellites(at: timeOfWeek)
    }

    /// Ends a list of satellites. Unless a list of their signals is expected, replaces the
    /// satellite view with the list, combined with signals of the same time that were received
    /// before it.
    mutating func endSatellites(of id: UBXMessageID) {
        use(id)
        guard sky.endSatellites() else { return }
        if sky.hasSignals {
            // The signals with elevations replace pending signals without elevations.
            sky.pending = .signals(Address(id))
            _ = showPendingList()
        } else {
            show(.satellites(Address(id)))
        }
    }

    /// Ends a list of signals, and replaces the satellite view with these signals and the remaining
    /// satellites. Without a list of satellites, which contains the elevations, GSV sentences are
    /// preferred if they were received recently.
    mutating func endSignals(of id: UBXMessageID) {
        use(id)
        sky.endSignals()
        guard !sky.satellites.isEmpty || satellites.partAge == nil else {
            return satellites.acceptParts()
        }
        show(.signals(Address(NavSAT.id)))
    }

    /// Replaces the satellite view with a list. If the view of the previous epoch has not been
    /// delivered yet, the list waits for `showPendingList()`.
    private mutating func show(_ list: UBXSatelliteLists.PendingList) {
        sky.pending = list
        if !satellites.hasRenewal { _ = showPendingList() }
    }

    /// Replaces the satellite view with the list that waits in `sky.pending`. Returns `false` if
    /// there is none.
    mutating func showPendingList() -> Bool {
        switch sky.pending {
        case .satellites(let address): satellites.replaceAll(with: sky.satellites, from: address)
        case .signals(let address): satellites.replaceAll(with: sky.signals, from: address)
        case nil: return false
        }
        sky.pending = nil
        return true
    }

    /// Adds the used satellites and the correction source to the epoch, from the list of satellites
    /// or signals that has ended.
    private mutating func use(_ id: UBXMessageID) {
        let (used, source) = (sky.used, sky.correctionSource)
        receive(id, at: sky.timeOfWeek) { epoch in
            epoch.use(used)
            epoch.refine(\.correctionSource, source)
        }
    }

    /// Ends the epoch. The receiver reports (`NAV-EOE`) that it has sent all its messages and
    /// sentences.
    mutating func endEpoch(at timeOfWeek: UInt32) {
        let time = weekClock.time(of: timeOfWeek, .unreported)?.time
        endCycle(at: time, Address(NavEOE.id))
    }

    /// Ends the current epoch if its time is `time`, or if either time is unknown. `address`
    /// identifies the message that reports the end.
    private mutating func endCycle(at time: TimeOfDay?, _ address: Address) {
        guard opener != nil, !isClosed,
            time == nil || epoch.fix.timeOfDay == nil || isSameInstant(time)
        else { return }
        currentSentence = occurrences.index(of: address)
        let position = CyclePosition(
            sentence: address, occurrence: occurrences.count(currentSentence))
        if lastContribution != nil { lastContribution = position }
        endCame = true
        // Only a silence of the line shows that no cycle follows.
        if lacksBeginning { beganWithSentence = false }
        silence()
    }

    /// Completes the satellite view with the list of satellites only, if the expected list of
    /// signals has not arrived. Call it when the epoch is over.
    mutating func completeSky() {
        guard sky.isHeld else { return }
        sky.release()
        satellites.replaceAll(with: sky.satellites, from: Address(NavSAT.id))
    }
}
