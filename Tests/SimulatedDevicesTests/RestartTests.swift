// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestTraits
import Glibc
import SimulatedDevices
import Testing
import UBX

/// Restarts and the time to the first fix.
@Suite(.timeLimit(.generous))
struct RestartTests {
    private static func restart(_ cleared: UInt16, _ mode: CfgRST.Mode = .gnssOnly) -> CfgRST {
        var message = CfgRST()
        (message.clearedData, message.mode) = (cleared, mode)
        return message
    }

    /// Returns the seconds from now to the next fix.
    private func firstFix(_ chip: inout ConfiguredChip) -> Double {
        let start = chip.receiver.due - 1
        return chip.run(for: 200).first { $0.observation.solution?.mode == .threeD }
            .map { $0.seconds - start } ?? .infinity
    }

    @Test(
        arguments: [(0, 1...2), (1, 24...26), (0xFFFF, 28...29)] as [(UInt16, ClosedRange<Double>)])
    func `a restart takes longer if it erases more data`(
        _ cleared: UInt16, _ seconds: ClosedRange<Double>
    ) throws {
        var chip = ConfiguredChip(.ublox8)
        #expect(chip.configure(Self.restart(cleared)) == nil)
        #expect(seconds.contains(firstFix(&chip)))
    }

    @Test func `a reset of a UART's chip is silent for half a second, and then announced`() {
        var chip = ConfiguredChip(.ublox8) {
            $0.baudRate = .default
            $0.rate = 5
        }
        chip.configure(Self.restart(0, .software))
        let epochs = chip.epochs(4)
        #expect(epochs.prefix(2).allSatisfy { $0.bytes.isEmpty })
        #expect(epochs[2].text.contains("u-blox AG"))
    }

    @Test func `a reset of a USB chip unplugs it, and forgets what was not saved`() {
        var chip = ConfiguredChip(.ublox10) { $0.rate = 5 }
        #expect(chip.set([(.dynamicModel, 4)]) == true)
        chip.configure(Self.restart(0, .hardware))
        let plugs = chip.epochs(4).map(\.plug)
        #expect(plugs.first == .unplugged && plugs.last == .inserted(as: nil))
        #expect(chip.value(.dynamicModel) == 0)
    }

    @Test func `a stopped receiver sends nothing until it is started`() {
        var chip = ConfiguredChip(.ublox8)
        chip.configure(Self.restart(0, .stop))
        #expect(chip.epochs(2).allSatisfy { $0.bytes.isEmpty })
        chip.configure(Self.restart(0, .start))
        #expect(chip.epochs(1).allSatisfy { !$0.bytes.isEmpty })
    }

    // MARK: Assistance

    private func time(_ seconds: Int) -> MgaINITimeUTC {
        var time = MgaINITimeUTC()
        (time.year, time.month, time.day) = (2026, 3, 21)
        (time.hour, time.minute, time.second) = (12, UInt8(seconds / 60), UInt8(seconds % 60))
        return time
    }

    /// A chip that has sent its database, and the entries.
    private func dumped(
        seed: UInt64 = 1, hoursAgo hours: Int = 0
    ) throws -> (chip: ConfiguredChip, entries: [[UInt8]]) {
        var chip = ConfiguredChip(.ublox10) {
            $0.seed = seed
            $0.start = $0.start.flatMap {
                UTCTime(unixNanoseconds: $0.unixNanoseconds - Int64(hours) * 3_600_000_000_000)
            }
        }
        #expect(chip.set([(.acknowledgesAiding, 1)]) == true)
        let answers = chip.send(UBXFrame.bytes(MgaDBD.id, payload: []))
        let entries = answers.filter { $0.id == MgaDBD.id }
        let end = try #require(answers.last.flatMap { MgaACK(payload: $0.payload.span) })
        #expect(entries.count == 100 && end.payloadStart == 100)
        #expect(entries.allSatisfy { $0.payload.count == 164 })
        return (chip, entries.map { UBXFrame.bytes(MgaDBD.id, payload: $0.payload) })
    }

    private func load(_ entries: [[UInt8]], _ chip: inout ConfiguredChip) -> [UInt8] {
        entries.flatMap { entry in
            chip.send(entry).compactMap { MgaACK(payload: $0.payload.span)?.reason }
        }
    }

    @Test func `its own database and the time shorten a cold start to three seconds`() throws {
        var (chip, entries) = try dumped()
        chip.configure(Self.restart(0xFFFF))
        // Without the time nothing is used.
        #expect(Set(load(entries, &chip)) == [1])
        chip.configure(time(0))
        #expect(Set(load(entries, &chip)) == [0])
        #expect(firstFix(&chip) <= 3)
    }

    @Test func `a database of another chip does not help`() throws {
        let foreign = try dumped(seed: 2).entries
        var (chip, _) = try dumped()
        chip.configure(Self.restart(0xFFFF))
        chip.configure(time(0))
        #expect(Set(load(foreign, &chip)) == [4])
        #expect(firstFix(&chip) >= 28)
        #expect(chip.receiver.assistance?.foreign == 100)
    }

    @Test(arguments: [(3, 1...3, 0), (5, 24...26, 0), (24 * 7 + 1, 28...29, 100)])
    func `a start with a stored database takes longer if the database is older`(
        _ hours: Int, _ seconds: ClosedRange<Double>, _ stale: Int
    ) throws {
        let entries = try dumped(hoursAgo: hours).entries
        var chip = ConfiguredChip(.ublox10)
        #expect(chip.set([(.acknowledgesAiding, 1)]) == true)
        chip.configure(Self.restart(0xFFFF))
        chip.configure(time(0))
        #expect(Set(load(entries, &chip)) == [0])
        #expect(seconds.contains(firstFix(&chip)))
        #expect(chip.receiver.assistance?.stale == stale)
    }

    @Test func `a wrong time delays the first fix by minutes`() throws {
        var (chip, entries) = try dumped()
        chip.configure(Self.restart(0xFFFF))
        chip.configure(time(300))
        _ = load(entries, &chip)
        #expect(firstFix(&chip) >= 28)
    }

    @Test
    func `without flow control a chip acknowledges nothing, and loses what its buffer cannot hold`()
        throws
    {
        var (chip, entries) = try dumped()
        #expect(chip.set([(.acknowledgesAiding, 0)]) == true)
        chip.configure(Self.restart(0xFFFF))
        #expect(chip.send(time(0).frame).isEmpty)
        #expect(chip.send(Array(entries.joined())).isEmpty)
        #expect(firstFix(&chip) > 10)
    }
}

/// Changes of the rate of a real tty.
@Suite(.timeLimit(.generous))
struct LineRateTests {
    /// A program that has a simulated receiver's tty open at a rate.
    private final class Program {
        let descriptor: Descriptor
        private(set) var bytes: [UInt8] = []

        init(_ path: String, rate: Int32) throws {
            let fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
            try #require(fd >= 0)
            descriptor = Descriptor(fd)
            setRate(rate)
        }

        func setRate(_ rate: Int32) {
            _ = descriptor.use { fd in
                var settings = termios()
                tcgetattr(fd, &settings)
                cfmakeraw(&settings)
                cfsetspeed(&settings, speed_t(rate))
                return tcsetattr(fd, TCSADRAIN, &settings)
            }
        }

        /// Sends a frame, and reads until a condition holds for what was read since. Sends it again after a
        /// second: a receiver that has not changed its rate yet reads it as noise.
        func send(_ frame: [UInt8], until isDone: ([UInt8]) -> Bool) async {
            bytes = []
            while !isDone(bytes), !Task.isCancelled {
                _ = await descriptor.write(all: frame)
                let next = MonotonicInstant.now + .seconds(1)
                while !isDone(bytes),
                    case .bytes(let more) = await descriptor.read(atMost: 4096, until: next)
                { bytes += more }
            }
        }

        /// Sends a frame once, at the receiver's rate, and reads until a message. A second answer would
        /// arrive while the program changes its rate.
        func ask(_ frame: [UInt8], until id: UBXMessageID) async {
            bytes = []
            _ = await descriptor.write(all: frame)
            while !UBXRun.frames(in: bytes).frames.contains(where: { $0.id == id }),
                case .bytes(let more) = await descriptor.read(atMost: 4096, until: nil)
            { bytes += more }
        }

        func send(_ frame: [UInt8], until id: UBXMessageID) async {
            await send(frame) { UBXRun.frames(in: $0).frames.contains { $0.id == id } }
        }
    }

    private static let version = UBXFrame.bytes(MonVER.id, payload: [])

    /// Runs a simulation that does not wait for the tests' other tasks. On a busy machine, it would
    /// answer so late that the program asks twice, and changes its rate before the second answer.
    private static func run(_ simulation: Simulation) -> Task<Void, any Error> {
        Task(executorPreference: BackgroundExecutor.shared) { _ = try await simulation.run() }
    }

    @Test(arguments: [Personality.ublox8, .f9p], [(B38400, 38_400), (B4800, 4800)])
    func `a program follows a change of the rate, up and down`(
        _ personality: Personality, _ rate: (Int32, Int)
    ) async throws {
        var configuration = SimulatedReceiver.Configuration.ubx(personality)
        configuration.baudRate = .default
        // The next epoch is in a quarter of an hour: one that is sent while the program changes its
        // rate could make the receiver read the request as noise.
        configuration.rate = 0.001
        let terminal = try SimulatedTerminal(configuration)
        let program = try Program(try #require(terminal.path), rate: B9600)
        defer { program.descriptor.close() }
        let run = Self.run(Simulation(configuration, outputs: [terminal]))
        defer { run.cancel() }
        await program.ask(CfgPRT.poll, until: AckACK.id)
        let frames = UBXRun.frames(in: program.bytes).frames
        let answer = frames.first { $0.id == CfgPRT.id }
        let read = answer.flatMap { CfgPRT(payload: $0.payload.span) }
        var port = try #require(read)
        #expect(port.baudRate == 9600 && port.port == .uart1)
        port.baudRate = UInt32(rate.1)
        _ = await program.descriptor.write(all: port.frame)
        // Like a program that changes its rate as soon as its bytes have been sent.
        program.setRate(rate.0)
        await program.send(Self.version, until: MonVER.id)
        #expect(program.bytes.count > 100)
    }

    @Test func `at different baud rates, program and receiver both read noise`() async throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox8)
        configuration.baudRate = BaudRate(rawValue: 38_400)
        let terminal = try SimulatedTerminal(configuration)
        let program = try Program(try #require(terminal.path), rate: B9600)
        defer { program.descriptor.close() }
        let run = Self.run(Simulation(configuration, outputs: [terminal]))
        defer { run.cancel() }
        await program.send(Self.version) { $0.count > 200 }
        #expect(UBXRun.frames(in: program.bytes).frames.isEmpty)
        program.setRate(B38400)
        await program.send(Self.version, until: MonVER.id)
    }
}
