// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// The first fix of simulated chips at 115,200 baud, in simulated time.
@Suite(.timeLimit(.generous))
struct SimulatedWarmStartTests {
    /// A chip after a cold start, and the data that it had before.
    private static func restarted(
        _ personality: Personality, _ faults: [Fault] = []
    ) throws -> (chip: SimulatedReceiver, data: WarmStartData) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        configuration.baudRate = BaudRate(rawValue: 115_200)
        var chip = SimulatedReceiver(configuration)
        let collection = run(&chip, .collect)
        guard case .collected(let data)? = collection.outcome else { throw Missing() }
        #expect(data.entries.count == 100 && collection.seconds < 2)
        for var fault in faults {
            fault.start += chip.due
            chip.add(fault)
        }
        var restart = CfgRST()
        (restart.clearedData, restart.mode) = (0xFFFF, .gnssOnly)
        _ = chip.answers(to: restart.frame)
        return (chip, data)
    }

    private struct Missing: Error {}

    private struct Result {
        var outcome: WarmStartOutcome?
        /// The time at which the session ended.
        var seconds = 0.0
        /// The time of the first fix; `nil` if the run did not wait for it.
        var firstFix: Double?
    }

    /// Runs a session, and then the chip until its first fix in three dimensions.
    private static func run(
        _ chip: inout SimulatedReceiver, _ purpose: WarmStartSession.Purpose?,
        stored: WarmStartData? = nil
    ) -> Result {
        let start = chip.due
        let origin = SimulatedReceiver.defaultStart
        let byteTime = 10.0 / 115_200
        let instant = MonotonicInstant.now
        let elapsed = Elapsed()
        var session = purpose.map {
            WarmStartSession($0, line: ConfigurationLine(baudRate: 115_200)) {
                UTCTime(unixNanoseconds: origin * 1_000_000_000).map {
                    SynchronizedTime($0.adding(elapsed.seconds), maximumError: 0.02)
                }
            }
        }
        var result = Result()
        var coming: [(at: Double, bytes: [UInt8])] = []
        var isBusyUntil = 0.0
        func send(_ bytes: [UInt8], _ due: Double) {
            isBusyUntil = max(due, isBusyUntil) + Double(bytes.count) * byteTime
            coming.append((isBusyUntil, bytes))
        }
        var now = start
        while now < start + 200 {
            elapsed.seconds = now
            let time = instant + .seconds(now - start)
            if now >= chip.due {
                let epoch = chip.next()
                send(epoch.bytes, epoch.due)
                if epoch.observation.solution?.mode == .threeD, purpose != .collect {
                    result.firstFix = epoch.seconds - start + 1
                }
            }
            for piece in coming where piece.at <= now { session?.receive(piece.bytes, at: time) }
            coming.removeAll { $0.at <= now }
            while let output = session?.next(at: time) {
                switch output {
                case .write(let bytes):
                    let arrival = now + Double(bytes.count) * byteTime
                    for answer in chip.receive(bytes, at: arrival) {
                        send(answer.bytes, answer.due)
                    }
                case .load: session?.didLoad(stored, at: time)
                case .finished(let outcome):
                    result.outcome = outcome
                    result.seconds = now - start
                    session = nil
                    if purpose == .collect { return result }
                }
            }
            if result.firstFix != nil, session == nil { return result }
            now += 0.002
        }
        return result
    }

    @Test(arguments: [Personality.ublox8, .ublox10, .f9p])
    func `a cold start takes 28 s, and one with stored data 3`(_ personality: Personality) throws {
        var (chip, data) = try Self.restarted(personality)
        let cold = Self.run(&chip, nil)
        #expect(cold.firstFix.map { 28...29 ~= $0 } == true, "\(cold)")
        (chip, data) = try Self.restarted(personality)
        let warm = Self.run(&chip, .restore, stored: data)
        #expect(warm.firstFix.map { $0 <= 3 } == true, "\(warm)")
        #expect(chip.assistance?.accepted == 102)
        #expect(chip.assistance?.wrong == 0 && chip.assistance?.early == 0)
    }

    @Test func `the data of another chip, and data of last week, is never sent`() throws {
        var (chip, data) = try Self.restarted(.ublox10)
        data.receiver.name += "0"
        #expect(Self.run(&chip, .restore, stored: data).outcome == .failed(.nothingStored))
        (chip, data) = try Self.restarted(.ublox10)
        data.time = data.time.adding(-8 * 86_400)
        #expect(Self.run(&chip, .restore, stored: data).outcome == .failed(.outdated))
        #expect(chip.assistance?.accepted == 0 && chip.assistance?.stale == 0)
    }

    @Test(
        arguments: [
            (Fault(.lostAnswers, for: 60), 28.0), (Fault(.lateAnswers(0.2), for: 60), 28),
            (Fault(.lateAnswers(3), for: 60), 28), (Fault(.fullBuffer, at: 0.4, for: 60), 28),
            (Fault(.powerOff(keepsBattery: false), at: 1, for: 3), 33),
        ] as [(Fault, Double)])
    func `answers that are lost or late cost no more than a cold start`(
        _ fault: Fault, _ longest: Double
    ) throws {
        var (chip, data) = try Self.restarted(.ublox10, [fault])
        let result = Self.run(&chip, .restore, stored: data)
        #expect(result.outcome != nil && result.seconds < 25, "\(result)")
        #expect(result.firstFix.map { $0 <= longest + 1 } == true, "\(result)")
        #expect(chip.assistance?.wrong == 0)
    }
}
