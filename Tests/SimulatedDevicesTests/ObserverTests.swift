// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct ObserverTests {
    private static let vienna = Coordinate(latitude: 48.2066, longitude: 16.3634)

    private static func configuration() throws -> Observer.Configuration {
        var configuration = Observer.Configuration(
            start: try #require(UTCTime(unixNanoseconds: 1_795_132_800_000_000_000)))
        configuration.trajectory = Stationary(at: vienna, altitude: 171)
        configuration.signals = [
            .gps: [1, 7], .glonass: [1], .galileo: [7], .beiDou: [1], .sbas: [1],
        ]
        return configuration
    }

    @Test func `listed satellites, used satellites and solution are consistent`() throws {
        var observer = Observer(try Self.configuration())
        for step in 0..<60 {
            let observation = observer.observe(after: Double(step) * 1440)
            let solution = try #require(observation.solution)
            #expect(solution.mode == .threeD)
            let used = observation.satellites.filter(\.isUsed)
            #expect(used.count >= 16)
            #expect(used.allSatisfy { $0.elevation >= 5 && !$0.signals.isEmpty })
            #expect(!used.contains { $0.id.constellation == .sbas })
            #expect(observation.satellites.map(\.id) == observation.truth.satellites.map(\.id))
            #expect(0.3...1.2 ~= solution.dilution.hdop)
            #expect(try #require(solution.dilution.vdop) > solution.dilution.hdop)
            let strengths = observation.satellites.flatMap { $0.signals.map(\.cn0) }
            #expect(strengths.allSatisfy { 20...56 ~= $0 })
            #expect(observation.time == observation.truth.time)
        }
    }

    @Test func `high satellites have a higher C/N0`() throws {
        var observer = Observer(try Self.configuration())
        let satellites = observer.observe(after: 0).satellites
        func mean(_ range: Range<Double>) -> Double {
            let strengths = satellites.filter { range ~= $0.elevation }
                .compactMap { $0.signals.first?.cn0 }
            return strengths.reduce(0, +) / Double(strengths.count)
        }
        #expect(mean(50..<91) > mean(0..<20) + 5)
    }

    @Test func `reflections vary C/N0 as a Rice distribution does`() throws {
        var configuration = try Self.configuration()
        configuration.signals = [.gps: [1], .galileo: [1], .beiDou: [1]]
        var plain = Observer(configuration)
        configuration.surroundings.hasMultipath = true
        var reflecting = Observer(configuration)
        var decibels: [Double] = []
        for step in 0..<1000 {
            let expected = plain.observe(after: Double(step) * 60).satellites
            let satellites = reflecting.observe(after: Double(step) * 60).satellites
            #expect(expected.map(\.id) == satellites.map(\.id))
            for (satellite, direct) in zip(satellites, expected) where direct.elevation > 40 {
                let strength = try #require(direct.signals.first?.cn0)
                // A signal that is no longer tracked is weaker than this.
                decibels.append((satellite.signals.first?.cn0 ?? 20) - strength)
            }
        }
        decibels.sort()
        func share(_ share: Double) -> Double { decibels[Int(Double(decibels.count) * share)] }
        let mean = decibels.reduce(0, +) / Double(decibels.count)
        let squares = decibels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        // Computed from 200,000 pairs of normal numbers, for reflections that are 7 dB weaker.
        #expect(abs(mean) < 0.15)
        #expect(abs((squares / Double(decibels.count)).squareRoot() - 2.9) < 0.15)
        #expect(abs(share(0.01) + 9.2) < 0.7)
        #expect(abs(share(0.16) + 2.6) < 0.2)
        #expect(abs(share(0.84) - 2.65) < 0.2)
        #expect(abs(share(0.99) - 5) < 0.3)
    }

    @Test func `the same seed gives the same observations, another seed others`() throws {
        func observations(_ seed: UInt64) throws -> [SimulatedObservation] {
            var configuration = try Self.configuration()
            configuration.seed = seed
            configuration.surroundings = .urban()
            var observer = Observer(configuration)
            return (0..<300).map { observer.observe(after: Double($0) / 5) }
        }
        let first = try observations(7)
        #expect(try observations(7) == first)
        #expect(try observations(8) != first)
    }

    @Test func `a fault does not change what is observed after it`() throws {
        var plain = Observer(try Self.configuration())
        var disturbed = plain
        for second in 0..<100 {
            disturbed.disturbances.jamming = 20..<40 ~= second ? 40 : 0
            let expected = plain.observe(after: Double(second))
            let observation = disturbed.observe(after: Double(second))
            if 20..<42 ~= second { continue }
            #expect(observation == expected, "\(second)")
        }
    }

    @Test func `a cold start has the time first, then two dimensions, then three`() throws {
        var configuration = try Self.configuration()
        configuration.acquisition = .cold
        var observer = Observer(configuration)
        var counts: [Int] = []
        for second in 0..<40 {
            let observation = observer.observe(after: Double(second))
            #expect((observation.time != nil) == (second >= 9))
            let mode: FixMode? = second < 26 ? nil : second < 29 ? .twoD : .threeD
            #expect(observation.solution?.mode == mode)
            let used = observation.satellites.count(where: \.isUsed)
            #expect(mode == nil ? used == 0 : mode == .twoD ? 3...4 ~= used : used > 10)
            counts.append(observation.satellites.count { !$0.signals.isEmpty })
        }
        #expect(counts[0] < counts[12] && counts[12] < counts[29])
        #expect(counts == counts.sorted() || counts.max() == counts[29...].max())
    }

    @Test func `a jammer suppresses signals and fix until it ends`() throws {
        var observer = Observer(try Self.configuration())
        #expect(observer.observe(after: 0).solution != nil)
        observer.disturbances.jamming = 10
        let weaker = observer.observe(after: 1)
        #expect(weaker.satellites.allSatisfy { $0.signals.allSatisfy { $0.cn0 < 46 } })
        observer.disturbances.jamming = 40
        let jammed = observer.observe(after: 2)
        #expect(jammed.solution == nil)
        #expect(jammed.satellites.allSatisfy { $0.signals.isEmpty && !$0.isUsed })
        #expect(!jammed.satellites.isEmpty)
        observer.disturbances.jamming = 0
        let after = observer.observe(after: 3)
        #expect(after.solution == nil)
        #expect(after.satellites.contains { !$0.signals.isEmpty })
        #expect(observer.observe(after: 4).solution != nil)
    }

    @Test func `a spoofer moves the solution, not the truth`() throws {
        var plain = Observer(try Self.configuration())
        var spoofed = plain
        spoofed.disturbances.spoofedNorth = 1000
        let honest = try #require(plain.observe(after: 0).solution)
        let observation = spoofed.observe(after: 0)
        let solution = try #require(observation.solution)
        let way = try #require(Geodesic(from: honest.coordinate, to: solution.coordinate))
        #expect(abs(way.length - 1000) < 0.2)
        #expect(solution.altitude == honest.altitude)
        #expect(observation.truth.state.coordinate == Self.vienna)
    }

    @Test func `a forced loss of the fix leaves the satellites`() throws {
        var observer = Observer(try Self.configuration())
        observer.disturbances.isFixLost = true
        let observation = observer.observe(after: 0)
        #expect(observation.solution == nil)
        #expect(observation.satellites.contains { !$0.signals.isEmpty })
        #expect(observation.satellites.allSatisfy { !$0.isUsed })
    }

    @Test func `walls hide satellites and worsen the geometry`() throws {
        var open = Observer(try Self.configuration())
        var street = open
        street.disturbances.surroundings = .urban()
        let above = open.observe(after: 0)
        let between = street.observe(after: 0)
        let hdop = try #require(above.solution).dilution.hdop
        #expect(try #require(between.solution).dilution.hdop > 1.3 * hdop)
        // Hidden satellites are received by reflection, weaker, and are not used.
        let hidden = zip(above.satellites, between.satellites).filter { $0.isUsed && !$1.isUsed }
        #expect(hidden.count > 5)
        let changes = hidden.compactMap { direct, reflected in
            direct.signals.first.map { (reflected.signals.first?.cn0 ?? 20) - $0.cn0 }
        }
        #expect(changes.reduce(0, +) / Double(changes.count) < -5)
    }

    @Test func `in two dimensions the altitude is held`() throws {
        var configuration = try Self.configuration()
        configuration.signals = [.gps: [1]]
        configuration.trajectory = try #require(
            Drive([
                Drive.RoutePoint(Self.vienna, altitude: 100),
                Drive.RoutePoint(Self.vienna.moved(north: 900, east: 0), altitude: 500),
            ]))
        var observer = Observer(configuration)
        let before = try #require(observer.observe(after: 30).solution)
        #expect(before.mode == .threeD)
        let south = Surroundings.Wall(from: 60, to: 200, elevation: 90)
        var found = false
        for height in stride(from: 20.0, to: 60, by: 2) {
            var flat = observer
            flat.disturbances.surroundings = Surroundings(
                walls: [south, Surroundings.Wall(from: 200, to: 420, elevation: height)])
            guard let solution = flat.observe(after: 40).solution, solution.mode == .twoD else {
                continue
            }
            found = true
            #expect(solution.altitude == before.altitude)
            #expect(solution.climb == 0)
            #expect(solution.deviations.up == nil)
        }
        #expect(found)
    }

    @Test func `a leap second in the distant past does not trap`() throws {
        var observer = Observer(try Self.configuration())
        observer.disturbances.leapSecondDay = CalendarDate(year: 1, month: 12, day: 31)
        #expect(observer.observe(after: 0).time != nil)
    }

    @Test func `the receiver's clock can be wrong by 1024 weeks`() throws {
        var observer = Observer(try Self.configuration())
        observer.disturbances.clockOffset = Disturbances.weekRollover
        let observation = observer.observe(after: 0)
        let time = try #require(observation.time)
        #expect(time.date.daysSince1970 == observation.truth.time.date.daysSince1970 - 7168)
        #expect(time.time == observation.truth.time.time)
    }

    @Test func `a leap second is 23 59 60`() throws {
        var configuration = try Self.configuration()
        let day = try #require(CalendarDate(year: 2016, month: 12, day: 31))
        let time = try #require(TimeOfDay(hour: 23, minute: 59, second: 59))
        configuration.start = UTCTime(date: day, time: time)
        var observer = Observer(configuration)
        observer.disturbances.leapSecondDay = day
        let times = [0, 1, 1.5, 2, 3].map { observer.observe(after: $0).time?.description }
        #expect(
            times == [
                "2016-12-31T23:59:59.000Z", "2016-12-31T23:59:60.000Z",
                "2016-12-31T23:59:60.500Z", "2017-01-01T00:00:00.000Z", "2017-01-01T00:00:01.000Z",
            ])
    }

    @Test(arguments: [-1, .nan, .infinity, 1e300])
    func `no number of seconds stops the observer`(_ seconds: Double) throws {
        var observer = Observer(try Self.configuration())
        #expect(observer.observe(after: seconds).solution != nil)
        #expect(observer.observe(after: 1).solution != nil)
    }

    @Test func `without errors the solution is the truth`() throws {
        var configuration = try Self.configuration()
        configuration.trajectory = CircleTrack()
        configuration.errors = ErrorModel().scaled(by: 0)
        var observer = Observer(configuration)
        let observation = observer.observe(after: 12)
        let (solution, state) = (try #require(observation.solution), observation.truth.state)
        #expect(solution.coordinate == state.coordinate)
        #expect(solution.altitude == state.altitude)
        #expect(abs(solution.speed - state.speed) < 1e-9)
        #expect(abs(try #require(solution.course) - (try #require(state.course))) < 1e-9)
    }
}
