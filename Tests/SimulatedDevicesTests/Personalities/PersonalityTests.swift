// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import SimulatedDevices
import Testing

/// What every personality has in common: it is read as what the receiver observed.
struct PersonalityTests {
    @Test(arguments: Personality.all)
    func `what it says reads back as what it observed`(_ personality: Personality) throws {
        let heard = Heard(.noon(personality), epochs: 4)
        #expect(heard.fixes.count == 4)
        let unit =
            1 / 60.0 / [1.0, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7][personality.decimals.minutes]
        for (fix, epoch) in zip(heard.fixes, heard.epochs) {
            let solution = try #require(epoch.observation.solution)
            let coordinate = try #require(fix.coordinate)
            #expect(abs(coordinate.latitude - solution.coordinate.latitude) <= unit * 0.51)
            #expect(abs(coordinate.longitude - solution.coordinate.longitude) <= unit * 0.51)
            #expect(fix.mode == .threeD)
            #expect(fix.time == epoch.observation.time)
            // Garmin's own altitude is in whole feet.
            #expect(abs(try #require(fix.altitude) - solution.altitude) <= 0.16)
            #expect(abs(try #require(fix.speed) - solution.speed) <= 0.03)
        }
    }

    @Test(arguments: Personality.all)
    func `every satellite reads back as itself`(_ personality: Personality) throws {
        let heard = Heard(.noon(personality), epochs: 7)
        let view = try #require(heard.views.last)
        let observed = heard.epochs.last?.observation.satellites ?? []
        #expect(Set(view.satellites.map(\.id)) == Set(observed.map(\.id)))
        #expect(
            Set(view.satellites.filter(\.isUsed).map(\.id))
                == Set(observed.filter(\.isUsed).map(\.id)))
        #expect(observed.contains { $0.isUsed })
    }

    @Test(arguments: Personality.all)
    func `every sentence is right, and nothing is left over`(_ personality: Personality) {
        let statistics = Heard(.noon(personality), epochs: 7).statistics
        #expect(statistics.rejected == 0)
        #expect(statistics.junkBytes == 0)
        #expect(statistics.fieldErrors == 0)
        #expect(statistics.raw == 0)
    }

    @Test(arguments: Personality.all)
    func `every fix calls itself simulated, by all that its sentences can say`(
        _ personality: Personality
    ) throws {
        let heard = Heard(.noon(personality), epochs: 3)
        #expect(heard.fixes.allSatisfy { $0.quality == .simulated })
        for sentence in heard.sentences {
            let fields = sentence.dropLast(3).split(
                separator: ",", omittingEmptySubsequences: false)
            if sentence.contains("GGA,") { #expect(fields[6] == "8") }
            guard personality.version >= .v2_3 else { continue }
            if sentence.contains("RMC,") { #expect(fields[12] == "S") }
            if sentence.contains("VTG,") { #expect(fields[9] == "S") }
            if sentence.contains("GLL,") { #expect(fields[7] == "S") }
        }
    }

    @Test(arguments: Personality.all)
    func `before the first fix it says that there is none, and before the time nothing of it`(
        _ personality: Personality
    ) throws {
        var configuration = SimulatedReceiver.Configuration.noon(personality)
        configuration.acquisition = Acquisition(time: 2, twoD: 5, threeD: 5)
        let heard = Heard(configuration, epochs: 7)
        #expect(heard.statistics.rejected == 0)
        #expect(heard.fixes.prefix(5).allSatisfy { $0.mode == .noFix && $0.coordinate == nil })
        let told = heard.fixes.prefix(5).compactMap(\.timeOfDay)
        #expect(told == heard.epochs.prefix(5).compactMap { $0.observation.time?.time })
        #expect(heard.fixes.last?.mode == .threeD)
    }

    @Test(arguments: Personality.all)
    func `nothing but what its line says is longer than the standard allows by much`(
        _ personality: Personality
    ) {
        let longest = Heard(.noon(personality), epochs: 2).sentences.map(\.utf8.count).max() ?? 0
        // PUBX,00 and Trimble's own are the longest that receivers send.
        #expect(longest <= 120)
    }

    @Test func `names are unique, and found`() {
        #expect(Set(Personality.all.map(\.name)).count == Personality.all.count)
        for personality in Personality.all {
            #expect(Personality.named(personality.name) == personality)
        }
        #expect(Personality.named("ublox5") == nil)
    }

    @Test func `a rate beyond a personality is as much as it can`() {
        var configuration = SimulatedReceiver.Configuration.noon(.sirf3)
        configuration.rate = 10
        #expect(configuration.effectiveRate == 1)
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1)
    }

    @Test(arguments: [(Int.min, 0), (-1, 0), (10, 9), (Int.max, 9)])
    func `decimals that cannot be are the nearest that can`(_ decimals: Int, _ taken: Int) {
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

    @Test func `without a fix a u-blox names no units, and others do`() {
        func sentences(_ personality: Personality) -> [Substring] {
            let heard = Heard(.noon(personality, [Fault(.lostFix)]), epochs: 1)
            return heard.sentences.compactMap { sentence in
                let isAsked = sentence.contains("GGA") || sentence.contains("VTG")
                return isAsked ? sentence.dropFirst(3).prefix { $0 != "*" } : nil
            }
        }
        #expect(
            sentences(.ublox8) == ["VTG,,,,,,,,,N", "GGA,120000.00,,,,,0,00,99.99,,,,,,"])
        #expect(sentences(.l76) == ["GGA,120000.000,,,,,0,00,,,M,,M,,", "VTG,,T,,M,,N,,K,N"])
    }
}
