// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The messages to send to a receiver without a fix. They depend on the age of the stored data and
/// on the clock.
struct WarmStartPlan: Hashable, Sendable {
    /// A message of the plan.
    enum Item: Hashable, Sendable {
        /// The time at the moment of sending. A receiver that does not know the time refuses all
        /// other messages until it has accepted this one.
        case time
        case position(MgaINIPositionLLH)
        case entry([UInt8])
    }

    /// The messages to send, in order.
    var items: [Item] = []
    /// The age of the data in seconds.
    var age: Double

    /// The maximum age of data in seconds. Almanacs, which expire last, are useful for a week.
    static let longestAge = 7.0 * 86_400
    /// The maximum difference between the receiver's time and the clock, in seconds.
    static let tolerance = 10.0
    /// The assumed maximum average speed since the data was stored, in metres per second.
    private static let speed = 50.0
    /// The maximum of the position's stated accuracy, in metres. It is the largest that u-blox's
    /// AssistNow service accepts, and almost the radius of the Earth.
    ///
    /// A lower limit would be wrong: a receiver that is farther away than stated searches for the
    /// wrong satellites, and fixes later than without a position.
    private static let maximumAccuracy = 6_000_000.0

    /// Plans the messages. The age of the data is computed with the system's clock or, if that is
    /// not synchronised, with the receiver's time.
    ///
    /// - Throws: The reason if nothing may be sent.
    init(
        _ data: WarmStartData, to receiver: WarmStartReceiver, clock: SynchronizedTime?,
        receiverTime: UTCTime?, sendsEntries: Bool
    ) throws(WarmStartObstacle) {
        guard data.receiver.name == receiver.name else { throw .nothingStored }
        guard data.receiver.firmware == receiver.firmware else { throw .otherFirmware }
        guard let now = clock?.time ?? receiverTime else { throw .clockNotSynchronized }
        age = now.seconds(since: data.time)
        guard -Self.tolerance...Self.longestAge ~= age else { throw .outdated }
        if clock != nil { items.append(.time) }
        var position = MgaINIPositionLLH()
        position.latitude = data.position.latitude
        position.longitude = data.position.longitude
        position.ellipsoidalAltitude = data.position.ellipsoidalAltitude
        let distance = max(0, age) * Self.speed
        position.accuracy = min(data.position.accuracy + distance, Self.maximumAccuracy)
        items.append(.position(position))
        if sendsEntries { items += data.entries.map { .entry($0) } }
    }
}

extension ConfigurationLine {
    /// Whether the transmission of the navigation database takes less time than a warm start saves.
    /// It takes 4.5 s at 38,400 baud and 1.5 s at 115,200 baud.
    var carriesDatabase: Bool { isNativeUSB || (baudRate ?? 0) >= 38_400 }
}

extension MgaINITimeUTC {
    /// The assumed maximum delay in seconds from the program to the chip.
    private static let delay = 0.1

    /// Creates the message for the current time. Its accuracy includes the clock's maximum error
    /// and the transmission delay.
    init(_ clock: SynchronizedTime) {
        self.init()
        let (date, time) = (clock.time.date, clock.time.time)
        year = UInt16(clamping: date.year)
        (month, day) = (UInt8(clamping: date.month), UInt8(clamping: date.day))
        (hour, minute) = (UInt8(clamping: time.hour), UInt8(clamping: time.minute))
        second = UInt8(clamping: time.second)
        nanoseconds = UInt32(clamping: time.nanosecond)
        let accuracy = min(max(0, clock.maximumError), 60_000) + Self.delay
        accuracySeconds = UInt16(accuracy)
        accuracyNanoseconds = UInt32((accuracy - accuracy.rounded(.down)) * 1e9)
    }
}

extension NavPVT {
    /// The receiver's time in UTC; `nil` if it is not valid.
    var time: UTCTime? {
        guard validity.hasDate, validity.hasTime,
            let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)),
            let time = TimeOfDay(hour: Int(hour), minute: Int(minute), second: Int(second))
        else { return nil }
        return UTCTime(date: date, time: time)
    }

    /// Whether the message reports a fix, including time-only fixes.
    var hasFix: Bool { hasPosition || flags.isFixOK && fixType.rawValue >= 2 }

    /// The position of a 3D fix with a known accuracy; `nil` if there is no such fix.
    var warmStartPosition: WarmStartData.Position? {
        guard hasPosition, fixType == .threeD || fixType == .combined,
            let accuracy = horizontalAccuracy
        else { return nil }
        return WarmStartData.Position(
            latitude: latitude, longitude: longitude, ellipsoidalAltitude: ellipsoidalAltitude,
            accuracy: accuracy)
    }
}
