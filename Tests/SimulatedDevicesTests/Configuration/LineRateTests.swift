// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestTraits
import Glibc
import SimulatedDevices
import Testing
import UBX

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
