// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import SimulatedDevices
import Testing

/// Distance and climb of simulated receivers, whose positions drift like those of real ones.
@Suite(.timeLimit(.generous))
struct TrackSummaryTests {
    @Test
    func
        `twelve hours at anchor have no distance and no climb, also without speeds and accuracies`()
    {
        let way = SimulatedWay(.stationary(at: SimulatedWay.place, altitude: 3), seconds: 43_200)
        let summaries = [
            way.summary(),
            way.summary { $0.round(minuteDecimals: 3) },
            way.summary { $0.removeSpeed() },
            way.summary {
                $0.removeSpeed()
                $0.accuracy = Accuracy()
            },
        ]
        for summary in summaries {
            #expect(summary.distance <= 5)
            #expect(summary.climb <= 10 && summary.descent <= 10)
            #expect(summary.movingTime < 60)
            #expect(summary.fixCount == 43_200)
        }
    }

    @Test(arguments: [1.0, 10])
    func `an hour on flat water at 3 m/s has the right distance and no climb`(_ rate: Double) throws
    {
        let seconds = rate > 1 ? 600 : 3600
        let way = try #require(SimulatedWay(speed: 3, seconds: seconds, rate: rate))
        for summary in [way.summary(), way.summary { $0.removeSpeed() }] {
            #expect(abs(summary.distance / way.length - 1) < 0.01)
            #expect(summary.climb <= 10)
            #expect(try #require(summary.averageSpeed) <= #require(summary.maximumSpeed))
        }
    }

    @Test(arguments: [0.5, 0.8333, 1.5], [1, 2, 3] as [UInt64])
    func `slow tracks have a distance within 2 % and the right speed`(
        _ speed: Double, _ seed: UInt64
    ) throws {
        let way = try #require(SimulatedWay(speed: speed, seconds: 1200, seed: seed))
        let summary = way.summary()
        #expect(abs(summary.distance / way.length - 1) < 0.02)
        let average = try #require(summary.averageSpeed)
        #expect(abs(average / speed - 1) < 0.03)
        #expect(average <= (summary.maximumSpeed ?? 0))
        // GPX has the dilution of precision, but no accuracy.
        #expect(way.summary { $0.accuracy = Accuracy() }.climb <= 10)
        // Positions alone give a less exact result.
        let blind = way.summary { $0.removeSpeed() }
        #expect(abs(blind.distance / way.length - 1) < 0.06)
        #expect(try #require(blind.averageSpeed) <= #require(blind.maximumSpeed))
    }

    /// A drive around blocks of 200 m, with stops.
    private func drive() throws -> Drive {
        let start = SimulatedWay.place
        let waypoints = (0..<24).map { index in
            let (row, side) = (
                Double(index / 4) * 200, [(0, 0), (1, 0), (1, 1), (0, 1)][index % 4]
            )
            return Drive.RoutePoint(
                start.moved(north: row + 200 * Double(side.0), east: 200 * Double(side.1)),
                altitude: 170, stop: index % 3 == 0 ? 30 : 0)
        }
        return try #require(Drive(waypoints))
    }

    @Test func `a drive with stops and corners has the right distance and rests at its stops`()
        throws
    {
        let drive = try drive()
        let duration = try #require(drive.duration)
        let way = SimulatedWay(drive, seconds: Int(duration))
        for summary in [way.summary(), way.summary { $0.removeSpeed() }] {
            #expect(abs(summary.distance / way.length - 1) < 0.02)
            #expect(summary.climb <= 10)
            #expect(try #require(summary.averageSpeed) <= #require(summary.maximumSpeed))
        }
        let summary = way.summary()
        #expect(abs(summary.movingTime - (duration - 8 * 30)) < 60)
        #expect(summary.restTime + summary.movingTime == summary.duration)
        // A rest at the start or at the end is not a stop.
        #expect((6...8).contains(summary.stops), "\(summary.stops)")
    }

    @Test func `distances below a kilometre or a mile are in metres or feet`() {
        #expect(Units.metric.distance(795.4) == "795 m")
        #expect(Units.metric.distance(1000) == "1.000 km")
        #expect(Units.nautical.distance(1851) == "1851 m")
        #expect(Units.imperial.distance(100) == "328 ft")
        #expect(Units.imperial.distance(1609.344) == "1.000 mi")
    }

    @Test func `a mountain walk has the right climb`() throws {
        // 900 m up, three times interrupted by 30 m down, and back.
        let heights = [200.0, 500, 470, 800, 770, 1100, 470, 200]
        var points: [TrackPoint] = []
        var seconds = 0.0
        for (index, height) in heights.enumerated() {
            if index > 0 { seconds += abs(height - heights[index - 1]) / 0.15 }
            points.append(
                TrackPoint(
                    seconds: seconds,
                    coordinate: SimulatedWay.place.moved(north: seconds * 0.8, east: 0),
                    altitude: height))
        }
        let track = try #require(RecordedTrack(points))
        let way = SimulatedWay(track, seconds: Int(seconds))
        let summary = way.summary()
        #expect(abs(summary.climb / 960 - 1) < 0.03)
        #expect(abs(summary.descent / 960 - 1) < 0.03)
    }

    @Test func `a receiver whose speeds are 0 is measured by its positions`() throws {
        let way = try #require(SimulatedWay(speed: 3, seconds: 1200))
        let summary = way.summary { $0.speed = 0 }
        #expect(abs(summary.distance / way.length - 1) < 0.02)
    }

    @Test func `a gap is crossed in a straight line, and a long one is not counted`() throws {
        let way = try #require(SimulatedWay(speed: 10, seconds: 600))
        func distance(without range: Range<Int>) -> Double {
            var summary = TrackSummary()
            for (index, fix) in way.fixes.enumerated() where !range.contains(index) {
                summary.add(fix)
            }
            return summary.distance
        }
        #expect(abs(distance(without: 200..<250) - 6000) < 60)
        #expect(abs(distance(without: 200..<300) - 5000) < 60)
    }

    // MARK: Recordings

    @Test
    func `recordings in any order have the same summary, and fixes in two of them count once`()
        throws
    {
        let way = try #require(SimulatedWay(speed: 10, seconds: 900))
        func summary(_ ranges: Range<Int>...) -> TrackSummary {
            var summary = TrackSummary()
            for range in ranges {
                summary.beginRecording()
                for fix in way.fixes[range.clamped(to: way.fixes.indices)] { summary.add(fix) }
            }
            return summary
        }
        let ordered = summary(0..<300, 300..<600, 600..<900)
        for other in [
            summary(600..<900, 300..<600, 0..<300), summary(300..<900, 0..<600),
            summary(0..<900, 100..<300, 500..<900), summary(200..<400, 0..<900, 0..<900),
        ] {
            #expect(other.duration == ordered.duration)
            #expect(other.start == ordered.start && other.end == ordered.end)
            #expect(other.fixCount == ordered.fixCount)
            #expect(abs(other.distance - ordered.distance) < 50)
            #expect(try other.movingTime <= #require(other.duration))
        }
        #expect(summary(300..<900, 0..<600).repeatedCount == 300)
    }

    @Test(arguments: [1100, 17_000])
    func `the gaps of a recording are not covered by it, also if there are many`(_ count: Int) {
        var summary = TrackSummary()
        func add(_ second: Int) {
            var fix = Fix()
            fix.coordinate = SimulatedWay.place
            fix.time = UTCTime(
                unixNanoseconds: 1_774_094_400_000_000_000 + Int64(second) * 1_000_000_000)
            summary.add(fix)
        }
        // One fix every two minutes, and a day without one in the middle.
        for index in 0..<count { add(index * 120 + (2 * index > count ? 86_400 : 0)) }
        summary.beginRecording()
        let pause = count / 2 * 120 + 3600
        for second in pause..<pause + 600 { add(second) }
        #expect(summary.repeatedCount == 0 && summary.fixCount == count + 600)
        guard count < 10_000 else { return }
        for second in 1...600 { add(second) }
        #expect(summary.repeatedCount == 5)
    }

    @Test(arguments: [
        ("2016-12-31T23:59:58Z", "2017-01-01T00:00:01Z", 4.0),
        ("2016-12-31T23:59:58.25Z", "2016-12-31T23:59:60.5Z", 2.25),
        ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.25Z", 0.75),
        ("2017-12-31T23:59:58Z", "2018-01-01T00:00:01Z", 3.0),
    ])
    func `the duration includes a leap second`(
        _ start: String, _ end: String, _ duration: Double
    ) throws {
        let times = try [#require(UTCTime(iso8601: start)), #require(UTCTime(iso8601: end))]
        var summary = TrackSummary()
        for time in times {
            var fix = Fix()
            fix.coordinate = SimulatedWay.place
            fix.time = time
            summary.add(fix)
        }
        #expect(summary.start == times.first && summary.end == times.last)
        #expect(summary.duration == duration)
    }
}
