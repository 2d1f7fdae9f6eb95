// SPDX-License-Identifier: MIT
import GNSS
import NMEA

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
