// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct TimeSeriesTests {
    private func moment(_ seconds: Double, isDated: Bool = true) -> FixTime {
        FixTime(Positions.fix(seconds, 0, 0, isDated: isDated), order: 0)
    }

    @Test func `the maximum and minimum of any number of values are kept`() {
        var series = TimeSeries()
        for second in 0..<100_000 {
            let value = second == 77_777 ? 1000.0 : second == 33_333 ? -1000 : Double(second % 10)
            series.add(value, at: moment(Double(second)))
        }
        #expect(series.steps.count <= TimeSeries.limit && series.steps.count > TimeSeries.limit / 4)
        #expect(series.steps.map(\.maximum).max() == 1000)
        #expect(series.steps.map(\.minimum).min() == -1000)
        #expect(abs((series.mean ?? 0) - 4.5) < 0.01)
    }

    @Test func `times without a date may continue for any number of days`() {
        let noon = moment(0, isDated: false)
        var last = noon
        for half in 1...240_000 {
            let second = half * 43_000 % 86_400
            last = moment(Double(second), isDated: false).unwrapped(after: last)
        }
        // 327 years have passed.
        let century = 100.0 * 366 * 86_400
        #expect(last.seconds(since: noon) ?? .infinity < century)
    }

    @Test func `few values are kept unchanged`() {
        var series = TimeSeries()
        for second in 0..<500 { series.add(Double(second), at: moment(Double(second))) }
        #expect(series.steps.map(\.mean) == (0..<500).map(Double.init))
    }

    @Test func `late values are inserted in order`() {
        var series = TimeSeries()
        for second in [5.0, 3, 4, 1, 2, 3] { series.add(second, at: moment(second)) }
        #expect(series.steps.map(\.mean) == [1, 2, 3, 4, 5])
    }

    @Test func `a date takes precedence over a time of day`() {
        var series = TimeSeries()
        series.add(1, at: moment(1, isDated: false))
        series.add(2, at: moment(2))
        series.add(3, at: moment(3, isDated: false))
        #expect(series.scale == .date)
        #expect(series.steps.map(\.mean) == [2])
    }

    @Test func `the earliest and the latest date do not trap`() {
        var series = TimeSeries()
        for seconds in [-9e9, 0, 7e9] { series.add(1, at: moment(seconds)) }
        #expect(series.steps.count == 3)
    }

    @Test func `midnight without a date is not a step back`() {
        let late = moment(43_190, isDated: false)
        let early = moment(43_210, isDated: false)
        #expect(early.seconds(since: late).map { $0 < 0 } == true)
        #expect(early.unwrapped(after: late).seconds(since: late) == 20)
    }
}
