// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension NavTIMEUTC: TimedMessage {
    var time: WeekClock.Report {
        WeekClock.Report(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanoseconds: nanoseconds, isDateKnown: validity.isUTC && validity.hasWeek,
            isTimeKnown: validity.isUTC && validity.hasTimeOfWeek)
    }

    /// Sets the accuracy of the time.
    func contribute(to epoch: inout Epoch) {
        if validity.isUTC { epoch.refine(\.accuracy.time, timeAccuracy) }
    }
}

extension NavTIMEGPS: TimedMessage {
    var time: WeekClock.Report {
        guard validity.hasWeek, validity.hasTimeOfWeek else { return .unreported }
        let time = Int64(timeOfWeekMilliseconds) * 1_000_000 + Int64(nanoseconds)
        return .gps(
            GPSTime(week: Int(week), nanoseconds: time),
            leapSeconds: validity.hasLeapSeconds ? Int(leapSeconds) : nil)
    }

    /// Sets the leap seconds.
    func contribute(to epoch: inout Epoch) {
        if validity.hasLeapSeconds { epoch.refine(\.leapSeconds, leapSeconds) }
    }
}

extension NavCLOCK: TimedMessage {
    /// Sets the drift of the receiver's clock.
    func contribute(to epoch: inout Epoch) {
        var clock = epoch.fix.receiverClock ?? ReceiverClock()
        clock.drift = drift
        epoch.refine(\.receiverClock, clock)
    }
}

extension NavEOE: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = Self(frame) else { return false }
        assembler.endEpoch(at: message.timeOfWeekMilliseconds)
        return true
    }
}
