// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import NMEA
import SimulatedDevices
import Synchronization
import Testing
import UBX

/// The output of a simulation and its times.
@Suite(.timeLimit(.generous))
struct SimulationTests {
    /// An output that records its bytes.
    private final class Notes: SimulationOutput {
        enum Note: Sendable, Equatable {
            case epoch(Double)
            case bytes([UInt8])
            case unplugged
            case plugged(String?)
            case closed
        }

        let all = Witness<Note>()
        /// The command that a program writes after the first epoch.
        private let command: Mutex<[UInt8]>

        init(command: [UInt8] = []) {
            self.command = Mutex(command)
        }

        func takeInput() -> [UInt8] {
            guard !all.all.isEmpty else { return [] }
            return command.withLock { command in
                defer { command = [] }
                return command
            }
        }

        func begin(_ epoch: SimulatedEpoch) { all.note(.epoch(epoch.due)) }
        func send(_ bytes: [UInt8]) { all.note(.bytes(bytes)) }
        func unplug() { all.note(.unplugged) }
        func plug(as name: String?) { all.note(.plugged(name)) }
        func close() { all.note(.closed) }

        var bytes: [UInt8] {
            all.all.flatMap { note -> [UInt8] in
                if case .bytes(let bytes) = note { bytes } else { [] }
            }
        }
    }

    private func configuration(_ clock: ManualClock) -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration.noon()
        configuration.pace = .stepped(by: clock)
        return configuration
    }

    @Test func `with a stepped clock exactly the due epochs are sent`() async throws {
        let clock = ManualClock()
        let notes = Notes()
        let simulation = Simulation(configuration(clock), outputs: [notes])
        let run = Task { try await simulation.run(epochs: 4) }
        clock.advance(by: .milliseconds(2500))
        // Three epochs: at 0, 1 and 2 s.
        _ = await notes.all.first(6)
        #expect(notes.all.all.filter { $0 == .epoch(3) }.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(try await run.value == 4)
        #expect(notes.all.all.last == .closed)
        #expect(notes.bytes == DecodedRun(.noon(), epochs: 4).epochs.flatMap(\.bytes))
    }

    @Test func `releasing the clock ends the simulation`() async throws {
        var clock: ManualClock? = ManualClock()
        let notes = Notes()
        let simulation = Simulation(configuration(try #require(clock)), outputs: [notes])
        let run = Task { try await simulation.run() }
        _ = await notes.all.first(2)
        clock = nil
        #expect(try await run.value == 1)
        #expect(notes.all.all.last == .closed)
    }

    @Test func `cancelling the task ends the simulation`() async throws {
        let notes = Notes()
        let run = Task { try await Simulation(.noon(), outputs: [notes]).run() }
        _ = await notes.all.first(2)
        run.cancel()
        _ = try await run.value
        #expect(notes.all.all.last == .closed)
    }

    @Test func `an output is unplugged after the epoch's bytes, and plugged in under its new name`()
        async throws
    {
        let notes = Notes()
        var configuration = SimulatedReceiver.Configuration.noon()
        configuration.faults = [Fault(.unplug(as: "other"), at: 1, for: 2)]
        configuration.pace = .accelerated(by: 1000)
        try await Simulation(configuration, outputs: [notes]).run(epochs: 5)
        let events = notes.all.all.filter { note in
            switch note {
            case .epoch, .bytes: false
            default: true
            }
        }
        #expect(events == [.unplugged, .plugged("other"), .closed])
    }

    @Test(arguments: [(1, 100, 10), (10, 1000, 2)] as [(Double, UInt16, Int)])
    func `a duration is in simulated time, also if a command changes the rate`(
        _ rate: Double, _ milliseconds: UInt16, _ count: Int
    ) async throws {
        var command = CfgRATE()
        command.measurementPeriod = milliseconds
        let notes = Notes(command: command.frame)
        let clock = ManualClock()
        clock.advance(by: .seconds(2))
        var configuration = configuration(clock)
        configuration.personality = .ublox8
        configuration.rate = rate
        let simulation = Simulation(configuration, outputs: [notes])
        // The command arrives when the second epoch is due, and moves it to the new grid.
        #expect(try await simulation.run(duration: 2) == count)
        withExtendedLifetime(clock) {}
    }

    @Test func `a slow line sends ten bits a byte`() async throws {
        let clock = ManualClock()
        let notes = Notes()
        var configuration = configuration(clock)
        configuration.personality = .sirf3
        configuration.baudRate = .nmea
        let run = Task { [configuration] in
            try await Simulation(configuration, outputs: [notes]).run(epochs: 1)
        }
        let whole = SimulatedReceiver(configuration).bytes(of: 1)
        // Half of it has been sent after half of the time, within one piece.
        clock.advance(by: .seconds(Double(whole.count) / 480 / 2))
        while notes.bytes.count < whole.count / 2 - 48, !Task.isCancelled { await Task.yield() }
        #expect(notes.bytes.count <= whole.count / 2 + 48)
        clock.advance(by: .seconds(Double(whole.count) / 480))
        _ = try await run.value
        #expect(notes.bytes == whole)
    }

    @Test func `a line that is too slow drops whole epochs`() async throws {
        let notes = Notes()
        var configuration = SimulatedReceiver.Configuration.noon(.ublox9)
        configuration.baudRate = .nmea
        configuration.pace = .accelerated(by: 10_000)
        try await Simulation(configuration, outputs: [notes]).run(epochs: 30)
        var decoder = NMEADecoder()
        decoder.push(notes.bytes.span) { _ in }
        // The text of one epoch takes 4800 baud about three seconds.
        #expect(5..<20 ~= Set(Self.times(notes.bytes)).count)
        #expect(decoder.statistics.rejected == 0)
    }

    private static func times(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            .filter { $0.contains("RMC") }.map { String($0.dropFirst(7).prefix(9)) }
    }
}

extension SimulatedReceiver {
    /// The bytes of the first epochs.
    func bytes(of epochs: Int) -> [UInt8] {
        var receiver = self
        return (0..<epochs).flatMap { _ in receiver.next().bytes }
    }
}

@Suite(.timeLimit(.generous))
struct PaceTests {
    @Test func `advancing a stepped clock resumes exactly the waits that are due`() async {
        let manual = ManualClock()
        let clock = Pace.stepped(by: manual).start()
        let first = Task.immediate { await clock.wait(until: 4) }
        let second = Task.immediate { await clock.wait(until: 10) }
        #expect(manual.waiterCount == 2)
        manual.advance(by: .seconds(4))
        #expect(await first.value)
        #expect(manual.waiterCount == 1)
        #expect(clock.elapsed == 4)
        manual.advance(by: .milliseconds(6000))
        #expect(await second.value)
        #expect(manual.waiterCount == 0)
        #expect(await clock.wait(until: 10))
        manual.advance(by: .seconds(-5))
        #expect(manual.elapsed == 10)
    }

    @Test func `one step may make many epochs due`() async {
        let manual = ManualClock()
        let clock = Pace.stepped(by: manual).start()
        manual.advance(by: .seconds(1000))
        for second in 0...1000 { #expect(await clock.wait(until: Double(second))) }
    }

    @Test func `releasing the clock ends its waits`() async {
        var manual: ManualClock? = ManualClock()
        guard let pace = manual.map({ Pace.stepped(by: $0) }) else { return }
        let clock = pace.start()
        let waiting = Task.immediate { await clock.wait(until: 1) }
        manual = nil
        #expect(await waiting.value == false)
        #expect(await clock.wait(until: 0) == false)
    }

    @Test func `cancelling ends a wait, also one that has not begun`() async {
        let manual = ManualClock()
        let clock = Pace.stepped(by: manual).start()
        let waiting = Task.immediate { await clock.wait(until: 1) }
        waiting.cancel()
        #expect(await waiting.value == false)
        #expect(manual.waiterCount == 0)
        let late = Task { await clock.wait(until: 1) }
        late.cancel()
        #expect(await late.value == false)
        let real = Pace.realTime.start()
        let long = Task.immediate { await real.wait(until: 1e9) }
        long.cancel()
        #expect(await long.value == false)
    }

    @Test func `an accelerated clock waits for a proportionally shorter time`() async {
        let start = ContinuousClock.now
        let clock = Pace.accelerated(by: 10_000).start()
        #expect(await clock.wait(until: 100))
        let elapsed = clock.elapsed
        let real = (ContinuousClock.now - start) / .seconds(1)
        #expect(elapsed >= 100)
        #expect(elapsed <= real * 10_000)
    }
}
