// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// Tests of every personality: its sentences decode to the observation.
@Suite(.timeLimit(.generous))
struct PersonalityTests {
    @Test(arguments: Personality.all.filter { $0 != .compass })
    func `the sentences decode to the observation`(_ personality: Personality) throws {
        let run = DecodedRun(.noon(personality), epochs: 4)
        #expect(run.fixes.count == 4)
        let unit =
            1 / 60.0 / [1.0, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7][personality.decimals.minutes]
        for (fix, epoch) in zip(run.fixes, run.epochs) {
            let solution = try #require(epoch.observation.solution)
            let coordinate = try #require(fix.coordinate)
            #expect(abs(coordinate.latitude - solution.coordinate.latitude) <= unit * 0.51)
            #expect(abs(coordinate.longitude - solution.coordinate.longitude) <= unit * 0.51)
            #expect(fix.mode == .threeD)
            #expect(fix.time == epoch.observation.time)
            // Garmin's proprietary altitude is in whole feet.
            #expect(abs(try #require(fix.altitude) - solution.altitude) <= 0.16)
            #expect(abs(try #require(fix.speed) - solution.speed) <= 0.03)
        }
    }

    @Test(arguments: Personality.all.filter { $0 != .compass })
    func `every satellite keeps its ID`(_ personality: Personality) throws {
        let run = DecodedRun(.noon(personality), epochs: 7)
        let view = try #require(run.views.last)
        let observed = run.epochs.last?.observation.satellites ?? []
        #expect(Set(view.satellites.map(\.id)) == Set(observed.map(\.id)))
        #expect(
            Set(view.satellites.filter(\.isUsed).map(\.id))
                == Set(observed.filter(\.isUsed).map(\.id)))
        #expect(observed.contains { $0.isUsed })
    }

    @Test(arguments: Personality.all)
    func `every sentence is valid, and there are no other bytes`(_ personality: Personality) {
        let statistics = DecodedRun(.noon(personality), epochs: 7).statistics
        #expect(statistics.rejected == 0)
        #expect(statistics.junkBytes == 0)
        #expect(statistics.fieldErrors == 0)
        #expect(statistics.raw == 0)
    }

    @Test(arguments: Personality.all.filter { $0 != .compass })
    func `every fix is marked as simulated in every sentence that can do so`(
        _ personality: Personality
    ) throws {
        let run = DecodedRun(.noon(personality), epochs: 3)
        #expect(run.fixes.allSatisfy { $0.quality == .simulated })
        for sentence in run.sentences {
            let fields = sentence.dropLast(3).split(
                separator: ",", omittingEmptySubsequences: false)
            if sentence.contains("GGA,") { #expect(fields[6] == "8") }
            guard personality.version >= .v2_3 else { continue }
            if sentence.contains("RMC,") { #expect(fields[12] == "S") }
            if sentence.contains("VTG,") { #expect(fields[9] == "S") }
            if sentence.contains("GLL,") { #expect(fields[7] == "S") }
            if sentence.contains("THS,") { #expect(fields[2] == "S") }
        }
    }

    @Test(arguments: Personality.all.filter { $0 != .compass })
    func `before the first fix, the sentences contain no fix, and no time until it is known`(
        _ personality: Personality
    ) throws {
        var configuration = SimulatedReceiver.Configuration.noon(personality)
        configuration.acquisition = Acquisition(time: 2, twoD: 5, threeD: 5)
        let run = DecodedRun(configuration, epochs: 7)
        #expect(run.statistics.rejected == 0)
        #expect(run.fixes.prefix(5).allSatisfy { $0.mode == .noFix && $0.coordinate == nil })
        let delivered = run.fixes.prefix(5).compactMap(\.timeOfDay)
        #expect(delivered == run.epochs.prefix(5).compactMap { $0.observation.time?.time })
        #expect(run.fixes.last?.mode == .threeD)
    }

    @Test(arguments: Personality.all)
    func `no sentence is longer than 120 bytes`(
        _ personality: Personality
    ) {
        let longest =
            DecodedRun(.noon(personality), epochs: 2).sentences.map(\.utf8.count).max() ?? 0
        // PUBX,00 and Trimble's proprietary sentences are the longest that receivers send.
        #expect(longest <= 120)
    }

    @Test func `names are unique and can be looked up`() {
        #expect(Set(Personality.all.map(\.name)).count == Personality.all.count)
        for personality in Personality.all {
            #expect(Personality.named(personality.name) == personality)
        }
        #expect(Personality.named("ublox5") == nil)
    }

    @Test func `a rate is limited to that of the personality`() {
        var configuration = SimulatedReceiver.Configuration.noon(.sirf3)
        configuration.rate = 10
        #expect(configuration.effectiveRate == 1)
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1)
    }

    @Test(arguments: [(Int.min, 0), (-1, 0), (10, 9), (Int.max, 9)])
    func `decimals are limited to 0 to 9`(_ decimals: Int, _ taken: Int) {
        func bytes(_ decimals: Int) -> [UInt8] {
            var configuration = SimulatedReceiver.Configuration.noon(.ublox9)
            configuration.personality.decimals.seconds = decimals
            configuration.personality.decimals.minutes = decimals
            configuration.personality.decimals.speed = decimals
            configuration.personality.decimals.course = decimals
            configuration.personality.decimals.altitude = decimals
            return SimulatedReceiver(configuration).bytes(of: 2)
        }
        #expect(bytes(decimals) == bytes(taken))
    }

    @Test func `without a fix a u-blox omits units, and others write them`() {
        func sentences(_ personality: Personality) -> [Substring] {
            let run = DecodedRun(.noon(personality, [Fault(.lostFix)]), epochs: 1)
            return run.sentences.compactMap { sentence in
                let isAsked = sentence.contains("GGA") || sentence.contains("VTG")
                return isAsked ? sentence.dropFirst(3).prefix { $0 != "*" } : nil
            }
        }
        #expect(
            sentences(.ublox8) == ["VTG,,,,,,,,,N", "GGA,120000.00,,,,,0,00,99.99,,,,,,"])
        #expect(sentences(.l76) == ["GGA,120000.000,,,,,0,00,,,M,,M,,", "VTG,,T,,M,,N,,K,N"])
    }
}
