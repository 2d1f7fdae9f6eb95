// SPDX-License-Identifier: MIT
import GNSS
import GPSExercises
import GPSTestTraits
import Testing

/// Ten fixes per second around critical dates.
@Suite(.timeLimit(.generous)) struct LongRunTests {
    /// Three minutes on either side of midnight, at 10 Hz.
    private static let epochs = 2 * 180 * 10

    static let days: [(Int, Int, Int)] = [
        (1999, 8, 21), (1999, 12, 31), (2000, 2, 28), (2000, 2, 29), (2016, 12, 31), (2018, 12, 31),
        (2019, 4, 6), (2026, 2, 28), (2038, 1, 18), (2038, 11, 20), (2099, 12, 31), (2100, 2, 28),
    ]

    @Test(arguments: days, [true, false])
    func `around midnight every epoch occurs once with the right date`(
        day: (Int, Int, Int), alwaysReportsDate: Bool
    ) throws {
        var plan = try #require(LongRun.Plan(year: day.0, month: day.1, day: day.2))
            .beginning(at: 86_400 - 180)
        plan.alwaysReportsDate = alwaysReportsDate
        try check(plan)
    }

    /// UTC was 13, later 18 seconds behind GPS. A change until 2038 does not affect the test.
    static let rollovers: [(day: (Int, Int, Int), secondsBefore: Int)] = [
        ((1999, 8, 21), 13), ((2019, 4, 6), 18), ((2038, 11, 20), 18),
    ]

    @Test(arguments: rollovers, [true, false])
    func `a week rollover of the receiver does not change the date`(
        rollover: (day: (Int, Int, Int), secondsBefore: Int), alwaysReportsDate: Bool
    ) throws {
        let (year, month, day) = rollover.day
        var plan = try #require(LongRun.Plan(year: year, month: month, day: day))
            .beginning(at: 86_400 - 180)
        let date = try #require(CalendarDate(year: year, month: month, day: day))
        let time = try #require(
            TimeOfDay(hour: 23, minute: 59, second: 60 - rollover.secondsBefore))
        plan.rollover = (date, time)
        plan.alwaysReportsDate = alwaysReportsDate
        try check(plan)
    }

    private func check(_ plan: LongRun.Plan) throws {
        var run = LongRun(plan)
        try run.run(epochs: Self.epochs)
        try run.finish()
        #expect(run.fixes == Self.epochs)
    }
}
