// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestTraits
import Glibc
import SimulatedDevices
import Testing
import UBX

/// The answers to what programs write.
@Suite(.timeLimit(.generous))
struct UBXAnswersTests {
    private static func poll(_ id: UBXMessageID) -> [UInt8] { UBXFrame.bytes(id, payload: []) }

    /// Returns the frames with which a receiver answers after its first epoch.
    private func answers(
        _ configuration: SimulatedReceiver.Configuration, to bytes: [UInt8]
    ) -> [(id: UBXMessageID, payload: [UInt8])] {
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        return UBXRun.frames(in: receiver.answers(to: bytes)).frames
    }

    @Test(
        arguments: [
            ("ublox6", "7.03 (45969)", "00040007", nil, nil),
            ("ublox7", "1.00 (59842)", "00070000", 14.0, nil),
            ("ublox8", "ROM CORE 3.01 (107888)", "00080000", 18, 5),
            ("ublox9", "EXT CORE 4.04 (7f89f7)", "00190000", 32.01, 5),
            ("ublox10", "ROM SPG 5.10 (7b202e)", "000A0000", 34.1, 6),
            ("f9p", "EXT CORE 1.00 (f17067)", "00190000", 27.5, 5),
        ] as [(String, String, String, Double?, Int?)])
    func `polls of version and identity are answered as by the chip`(
        _ name: String, _ software: String, _ hardware: String, _ version: Double?,
        _ identityCount: Int?
    ) throws {
        let configuration = SimulatedReceiver.Configuration.ubx(
            try #require(Personality.named(name)))
        let answers = answers(configuration, to: Self.poll(MonVER.id) + Self.poll(SecUNIQID.id))
        let monVER = try #require(answers.first.flatMap { MonVER(payload: $0.payload.span) })
        #expect(monVER.software == software && monVER.hardware == hardware)
        #expect(monVER.protocolVersion == version)
        #expect(monVER.extensions.last?.text == "SIMULATED")
        let identity = answers.dropFirst().first.flatMap { SecUNIQID(payload: $0.payload.span) }
        #expect(identity?.identity.count == identityCount)
    }

    @Test func `another seed is another chip`() {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        let first = answers(configuration, to: Self.poll(SecUNIQID.id))[0].payload
        #expect(answers(configuration, to: Self.poll(SecUNIQID.id))[0].payload == first)
        configuration.seed = 2
        #expect(answers(configuration, to: Self.poll(SecUNIQID.id))[0].payload != first)
    }

    @Test func `a poll returns the requested message of the last epoch`() throws {
        var receiver = SimulatedReceiver(.ubx(.f9p))
        let epoch = receiver.next()
        for id in [MonRF.id, SecSIG.id, NavPVT.id, NavSAT.id] {
            let answer = receiver.answers(to: Self.poll(id))
            #expect(epoch.bytes.firstRange(of: answer) != nil)
        }
    }

    @Test func `a poll may be received in pieces and among other bytes`() {
        var receiver = SimulatedReceiver(.ubx(.ublox8))
        _ = receiver.next()
        var count = 0
        for byte in Array("$PUBX,00*33\r\n".utf8) + Self.poll(MonVER.id) + [0xB5] {
            count += UBXRun.frames(in: receiver.answers(to: [byte])).frames.count
        }
        #expect(count == 1)
    }

    @Test func `unknown configuration is refused, and unknown polls are ignored`() throws {
        let unknown = UBXMessageID(0x06, 0x7F)
        let refused = answers(.ubx(.ublox8), to: UBXFrame.bytes(unknown, payload: [200, 0]))
        #expect(refused.map(\.id) == [AckNAK.id])
        #expect(refused.first?.payload == [0x06, 0x7F])
        #expect(answers(.ubx(.ublox8), to: Self.poll(MonRF.id)).isEmpty)
        // A message for the receiver, not a poll.
        #expect(answers(.ubx(.ublox8), to: UBXFrame.bytes(MonVER.id, payload: [0])).isEmpty)
    }

    @Test func `a receiver that sends sentences answers as well, one that is silent does not`() {
        #expect(answers(.noon(.ublox8), to: Self.poll(MonVER.id)).map(\.id) == [MonVER.id])
        let silent = SimulatedReceiver.Configuration.ubx(.ublox8, [Fault(.silence)])
        #expect(answers(silent, to: Self.poll(MonVER.id)).isEmpty)
    }

    @Test func `a program that writes to the tty gets answers about the epoch that was sent last`()
        async throws
    {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        // The next epoch is in a quarter of an hour.
        configuration.rate = 0.001
        let terminal = try SimulatedTerminal(configuration)
        let path = try #require(terminal.path)
        let fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        try #require(fd >= 0)
        let program = Descriptor(fd)
        defer { program.close() }
        let run = Task { try await Simulation(configuration, outputs: [terminal]).run() }
        defer { run.cancel() }
        var bytes: [UInt8] = []
        func read(until id: UBXMessageID) async {
            while !UBXRun.frames(in: bytes).frames.contains(where: { $0.id == id }),
                case .bytes(let more) = await program.read(atMost: 4096, until: nil)
            { bytes += more }
        }
        // The last message of the epoch.
        await read(until: MonRF.id)
        #expect(await program.write(all: Self.poll(NavPVT.id) + Self.poll(MonVER.id)) == 0)
        await read(until: MonVER.id)
        let frames = UBXRun.frames(in: bytes).frames
        #expect(frames.last?.id == MonVER.id)
        let solutions = frames.filter { $0.id == NavPVT.id }.map(\.payload)
        #expect(solutions.count == 2 && Set(solutions).count == 1)
    }
}
