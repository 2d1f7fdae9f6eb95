// SPDX-License-Identifier: MIT
package import GNSS
import NMEA
import UBX

/// A receiver that runs for a long time at 10 Hz, and checks of every fix that results: each
/// instant once, in order, on the right day.
///
/// The days are counted by an independent calendar, not by the tested one.
package struct LongRun {
    private var assembler = FixAssembler()
    private var clock: WallCalendar
    private let plan: Plan
    /// The instants that were reported and have not become fixes yet.
    private var expected: [UTCTime] = []
    /// The number of fixes delivered.
    package private(set) var fixes = 0

    private static let gga = Address("GPGGA")
    private static let rmc = Address("GPRMC")
    private static let gsa = Address("GPGSA")
    private static let gsv = Address("GPGSV")

    /// Creates a run that starts at the beginning of the plan.
    package init(_ plan: Plan) {
        self.plan = plan
        clock = plan.start
        expected.reserveCapacity(8)
        if let today = plan.rollover?.day {
            assembler.rollover = WeekRollover(built: today.adding(days: -100), today: today)
        }
    }

    /// Runs the next epochs. Throws if a fix is wrong, missing or delivered twice.
    package mutating func run(epochs: Int) throws(Broken) {
        for _ in 0..<epochs {
            guard let now = clock.instant else { throw Broken("the plan leaves the calendar") }
            report(now)
            expected.append(now)
            try take()
            try expect(expected.count <= 2, "nothing since \(expected[0])")
            clock.advance(leapSeconds: plan.leapSeconds)
        }
    }

    /// Ends the run. Throws if the fix of an epoch was not delivered.
    package mutating func finish() throws(Broken) {
        assembler.silence()
        try take()
        try expect(expected.isEmpty, "\(expected) not delivered")
    }

    private mutating func report(_ now: UTCTime) {
        let place = Coordinate(latitude: 48.2, longitude: 16.4)
        let date = clock.isFullSecond || plan.alwaysReportsDate ? plan.reportedDate(now) : nil
        // GGA first: at midnight it is on a day that no sentence has reported yet.
        assembler.receive(from: Self.gga, timing: .opens(now.time)) { epoch in
            epoch.fill(\.coordinate, place)
            epoch.fill(\.altitude, 171)
            epoch.reportFix(satellites: 9)
        }
        assembler.receive(from: Self.rmc, timing: .opens(now.time)) { epoch in
            epoch.fill(date: date, isTrusted: true)
            epoch.reportFix()
            epoch.replace(\.speed, 1)
            epoch.replace(\.course, 90)
        }
        assembler.receive(from: Self.gsa, timing: .untimed) { epoch in
            epoch.reportFix(.threeD)
            epoch.fill(\.dilution.hdop, 1)
        }
        if clock.isFullSecond { tellSatellites() }
    }

    private mutating func tellSatellites() {
        guard assembler.satellites.begin(part: 1, of: 1, signal: 0, from: Self.gsv) else { return }
        for svid in 1...8 {
            guard let id = SatelliteID(.gps, svid) else { continue }
            assembler.satellites.add(SatelliteSignal(id: id, elevation: 45, azimuth: 90, cn0: 40))
        }
        assembler.satellites.end(constellation: .gps)
    }

    private mutating func take() throws(Broken) {
        while assembler.hasNext, let fix = assembler.next() {
            fixes += 1
            guard let wanted = expected.first else { throw Broken("one too many: \(fix)") }
            try expect(fix.time == wanted, "\(fix.time as Any) instead of \(wanted)")
            let received = plan.receivedDate(wanted)
            try expect(fix.receivedDate == received, "received: \(fix.receivedDate as Any)")
            expected.removeFirst()
        }
        _ = assembler.takeView()
    }
}

extension LongRun {
    /// The start of a run, and the special events in it.
    package struct Plan: Sendable {
        var start: WallCalendar
        /// The days that end with 23:59:60.
        var leapSeconds: Set<CalendarDate> = Plan.knownLeapSeconds
        /// Whether every epoch has a date, or only one a second, as from ZDA.
        package var alwaysReportsDate = true
        /// The UTC time from which the receiver counts its weeks from 0 again.
        package var rollover: (day: CalendarDate, time: TimeOfDay)?

        /// Begins at midnight; `nil` if there is no such day.
        package init?(year: Int, month: Int, day: Int) {
            guard CalendarDate(year: year, month: month, day: day) != nil else { return nil }
            start = WallCalendar(year: year, month: month, day: day)
        }

        /// The same instant, in seconds after midnight.
        package func beginning(at second: Int) -> Plan {
            var plan = self
            plan.start.tenths = second * 10
            return plan
        }

        /// The number of days by which the date reported at an instant is too early.
        private func lostDays(_ instant: UTCTime) -> Int {
            guard let rollover else { return 0 }
            let start = UTCTime(date: rollover.day, time: rollover.time)
            return instant.unixNanoseconds < start.unixNanoseconds ? 0 : 7 * 1024
        }

        /// The date that a fix must mark as corrected. January 1980 is not a date: a receiver
        /// without a date counts from there. Then the day follows from the previous epochs.
        func receivedDate(_ instant: UTCTime) -> CalendarDate? {
            let date = reportedDate(instant)
            return date == instant.date || (date.year, date.month) == (1980, 1) ? nil : date
        }

        /// The date reported at an instant.
        func reportedDate(_ instant: UTCTime) -> CalendarDate {
            instant.date.adding(days: -lostDays(instant))
        }

        /// The leap seconds since the first receivers were sold.
        private static let knownLeapSeconds = Set(
            [
                (1998, 12, 31), (2005, 12, 31), (2008, 12, 31), (2012, 6, 30), (2015, 6, 30),
                (2016, 12, 31),
            ].compactMap { CalendarDate(year: $0.0, month: $0.1, day: $0.2) })
    }
}

/// An independent clock and calendar, which advance in steps of a tenth of a second.
struct WallCalendar: Sendable {
    var year: Int
    var month: Int
    var day: Int
    /// The tenths of a second since midnight.
    var tenths = 0

    var isFullSecond: Bool { tenths % 10 == 0 }

    var instant: UTCTime? {
        let seconds = tenths / 10
        let isLeap = seconds == 86_400
        guard let date = CalendarDate(year: year, month: month, day: day),
            let time = TimeOfDay(
                hour: isLeap ? 23 : seconds / 3600, minute: isLeap ? 59 : seconds / 60 % 60,
                second: isLeap ? 60 : seconds % 60, nanosecond: tenths % 10 * 100_000_000)
        else { return nil }
        return UTCTime(date: date, time: time)
    }

    mutating func advance(leapSeconds: Set<CalendarDate>) {
        tenths += 1
        guard tenths >= 864_000 else { return }
        let isLeapDay = CalendarDate(year: year, month: month, day: day).map(leapSeconds.contains)
        guard tenths >= (isLeapDay == true ? 864_010 : 864_000) else { return }
        tenths = 0
        day += 1
        guard day > daysInMonth else { return }
        day = 1
        month += 1
        guard month > 12 else { return }
        month = 1
        year += 1
    }

    private var daysInMonth: Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

/// A decoder that has learned its receiver's cycle, to measure the cost of another minute.
package struct SteadyState {
    private var decoder = NMEADecoder()
    private var counter = Counter()
    private let chunk: Int

    /// The number of fixes delivered.
    package var fixes: Int { counter.fixes }

    private struct Counter: DecoderListener {
        var fixes = 0
        mutating func didReceive(fix: Fix, satellites view: SatelliteView) { fixes += 1 }
    }

    /// Decodes two minutes of the protocol in pieces of `chunk` bytes, so that all buffers have grown.
    package init(_ line: LineProtocol = .nmea, chunk: Int) {
        self.chunk = chunk
        push(line.minute(10))
        push(line.minute(11))
        counter.fixes = 0
    }

    /// What the receiver sends.
    package enum LineProtocol: String, CaseIterable, Sendable {
        case nmea = "NMEA"
        case ubx = "UBX"

        /// Returns a minute after ten o'clock.
        package func minute(_ minute: Int) -> [UInt8] {
            self == .nmea ? SteadyState.minute(minute) : SteadyState.ubxMinute(minute)
        }
    }

    /// Decodes the next bytes in chunks.
    package mutating func push(_ bytes: [UInt8]) {
        let span = bytes.span
        var start = 0
        while start < span.count {
            let end = chunk < span.count - start ? start + chunk : span.count
            decoder.push(span.extracting(start..<end), to: &counter)
            start = end
        }
    }

    /// A minute of a receiver of two constellations, which lists its satellites once a second.
    package static func minute(_ minute: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for second in 10..<60 {
            let time = "10\(minute)\(second).00"
            let place = "4812.50000,N,01622.42000,E"
            for body in [
                "GPRMC,\(time),A,\(place),10.0,90.0,210326,,,A", "GPVTG,90.0,T,,M,10.0,N,18.5,K,A",
                "GPGGA,\(time),\(place),1,08,1.0,171.4,M,43.1,M,,",
                "GPGSA,A,3,05,07,13,14,,,,,,,,,1.9,1.0,1.6",
                "GPGSV,2,1,05,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31",
                "GPGSV,2,2,05,15,\(second),286,44", "GLGSV,1,1,02,65,62,286,44,66,41,103,",
                "GPGST,\(time),1.0,,,,2.0,3.0,4.0", "GPGLL,\(place),\(time),A,A",
                "GPZDA,\(time),21,03,2026,00,00",
            ] {
                bytes += sealed(body)
            }
        }
        return bytes
    }
}

extension SteadyState {
    /// A minute of a u-blox chip that sends everything that a fix is made of, once a second.
    static func ubxMinute(_ minute: Int) -> [UInt8] {
        (10..<60).flatMap { second in
            // 21 March 2026 was a Saturday; GPS time is 18 s ahead of UTC.
            let time = UInt32((6 * 86_400 + 10 * 3600 + minute * 60 + second + 18) * 1000)
            return solution(minute, second, time) + signals(second, time) + reports(time)
                + end(time)
        }
    }

    private static func solution(_ minute: Int, _ second: Int, _ time: UInt32) -> [UInt8] {
        var pvt = NavPVT()
        pvt.timeOfWeekMilliseconds = time
        (pvt.year, pvt.month, pvt.day) = (2026, 3, 21)
        (pvt.hour, pvt.minute, pvt.second) = (10, UInt8(minute), UInt8(second))
        pvt.validity = NavPVT.Validity(rawValue: 7)
        (pvt.fixType, pvt.flags) = (.threeD, NavPVT.Flags(rawValue: 1))
        (pvt.latitude, pvt.longitude, pvt.altitude) = (48.2, 16.37, 170)
        (pvt.horizontalAccuracy, pvt.verticalAccuracy) = (2, 3)
        (pvt.velocityEast, pvt.groundSpeed, pvt.course) = (10, 10, 90)
        var (precise, covariance, dilution) = (NavHPPOSLLH(), NavCOV(), NavDOP())
        precise.timeOfWeekMilliseconds = time
        (precise.coarseLatitude, precise.coarseLongitude) = (482_000_000, 163_700_000)
        covariance.timeOfWeekMilliseconds = time
        dilution.timeOfWeekMilliseconds = time
        return pvt.frame + precise.frame + covariance.frame + dilution.frame
    }

    private static func signals(_ second: Int, _ time: UInt32) -> [UInt8] {
        var (view, list) = (NavSAT(), NavSIG())
        view.timeOfWeekMilliseconds = time
        list.timeOfWeekMilliseconds = time
        for svid in UInt8(1)...20 {
            var satellite = NavSAT.Satellite()
            (satellite.svid, satellite.cn0) = (svid, 30 + UInt8(second % 8))
            (satellite.elevation, satellite.azimuth) = (Double(svid), Int16(10 * Int(svid)))
            satellite.flags = NavSAT.Satellite.Flags(rawValue: 0b1_1100)
            view.satellites.append(satellite)
            var signal = NavSIG.Signal()
            (signal.svid, signal.cn0) = (svid, satellite.cn0)
            signal.flags = NavSIG.Signal.Flags(rawValue: 0b1001)
            list.signals.append(signal)
        }
        return view.frame + list.frame
    }

    private static func reports(_ time: UInt32) -> [UInt8] {
        var (status, clock, radio, security) = (NavSTATUS(), NavCLOCK(), MonRF(), SecSIG())
        status.timeOfWeekMilliseconds = time
        clock.timeOfWeekMilliseconds = time
        radio.blocks = [MonRF.Block(), MonRF.Block()]
        (security.isJammingDetectorOn, security.jamming) = (true, .none)
        return status.frame + clock.frame + radio.frame + MonHW().frame + security.frame
    }

    private static func end(_ time: UInt32) -> [UInt8] {
        var end = NavEOE()
        end.timeOfWeekMilliseconds = time
        return end.frame
    }
}
