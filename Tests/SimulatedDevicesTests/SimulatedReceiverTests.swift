// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SimulatedReceiverTests {
    @Test(arguments: [(0, 0.001), (-1, 0.001), (.nan, 0.001), (.infinity, 1000), (5, 5)])
    func `a rate is rounded to the nearest possible one`(_ rate: Double, _ taken: Double) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.rate = rate
        #expect(configuration.rate == taken)
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1 / taken)
    }

    @Test(arguments: [nil, 1_774_094_400_000_000_000, 4_000_000_000_000_000_000] as [Int64?])
    func `the truth and the fix have the same time for every start`(
        _ nanoseconds: Int64?
    ) throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = nanoseconds.flatMap { UTCTime(unixNanoseconds: $0) }
        let run = DecodedRun(configuration, epochs: 3)
        let fixes = run.fixes.compactMap(\.time)
        #expect(fixes.count == 3)
        #expect(fixes == run.epochs.map(\.truth.time))
    }

    @Test(arguments: [(Int64.min, 1980), (0, 1980), (.max, 2079)])
    func `a start that sentences cannot express is rounded to the nearest one`(
        _ seconds: Int64, _ year: Int
    ) {
        var receiver = SimulatedReceiver(.init(), startingAt: seconds)
        #expect(receiver.next().truth.time.date.year == year)
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity])
    func `a personality without sentences still has epochs`(_ most: Double) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality.maximumRate = most
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1000)
    }

    @Test func `a personality may contain a sentence and a constellation twice`() {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox9
        configuration.personality.cycle += Personality.ublox9.cycle
        configuration.personality.constellations += Personality.ublox9.constellations
        var receiver = SimulatedReceiver(configuration)
        #expect(!receiver.next().bytes.isEmpty)
    }
}

/// The same seed and script give the same bytes on every machine.
@Suite(.timeLimit(.generous))
struct SameBytesTests {
    /// The bytes of every personality in two minutes of noise.
    @Test func `a run gives the same bytes as in earlier releases`() throws {
        let script = try FaultScript(
            """
            10s: bit-errors 0.1% for 10s
            15s: drop-bytes 1% for 10s
            30s: cut-sentences 20% for 5s
            40s: wrong-baud 9601 for 2s
            45s: wrong-baud 7000 for 2s
            50s: ubx 20% for 3s
            55s: cut-rtcm3 20% for 3s
            60s: late 1500ms for 10s
            75s: stall for 5s
            85s: unplug as other for 5s
            95s: jam for 5s
            105s: spoof 500w for 5s
            112s: week-rollover
            """)
        // FNV-1a.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var earlier: [UInt64] = []
        // Earlier releases have no base.
        for personality in Personality.all where personality.base == nil {
            if [.compass, .f9p, .x20p].contains(personality) { earlier.append(digest) }
            var receiver = SimulatedReceiver(.noon(personality, script))
            for _ in 0..<120 {
                let epoch = receiver.next()
                for byte in epoch.bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
                digest = (digest ^ epoch.due.bitPattern) &* 0x100_0000_01B3
            }
        }
        #expect(
            earlier == [
                0x866D_0CC6_9AF9_21D7, 0xFEA9_9197_1EAD_699D, 0x94B4_24EA_79EE_FE78,
            ])
        #expect(digest == 0x6C46_8587_EED2_9EAC, "0x\(String(digest, radix: 16))")
    }

    @Test func `another seed gives other bytes`() {
        var configuration = SimulatedReceiver.Configuration.noon()
        let first = SimulatedReceiver(configuration).bytes(of: 2)
        configuration.seed = 2
        #expect(SimulatedReceiver(configuration).bytes(of: 2) != first)
    }
}
