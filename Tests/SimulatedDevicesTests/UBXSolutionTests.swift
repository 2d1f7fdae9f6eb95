// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestTraits
import Glibc
import NMEA
import SimulatedDevices
import Testing
import UBX

/// The values in UBX are those of the observation, and of the sentences.
@Suite(.timeLimit(.generous))
struct UBXSolutionTests {
    @Test(arguments: Personality.pvt)
    func `the frames give the solution`(_ personality: Personality) throws {
        for epoch in UBXRun(.ubx(personality), epochs: 10).epochs {
            let solution = try #require(epoch.observation.solution)
            let pvt = try #require(epoch.first(NavPVT.self))
            #expect(pvt.hasPosition && pvt.fixType == .threeD)
            #expect(abs(pvt.latitude - solution.coordinate.latitude) <= 0.51e-7)
            #expect(abs(pvt.longitude - solution.coordinate.longitude) <= 0.51e-7)
            #expect(abs(pvt.altitude - solution.altitude) <= 0.00051)
            #expect(abs(pvt.ellipsoidalAltitude - pvt.altitude - 43.4) <= 0.0011)
            #expect(abs(pvt.groundSpeed - solution.speed) <= 0.00051)
            #expect(abs(pvt.course - (solution.course ?? pvt.course)) <= 0.00001)
            let speed =
                (pvt.velocityNorth * pvt.velocityNorth
                + pvt.velocityEast * pvt.velocityEast).squareRoot()
            #expect(abs(speed - pvt.groundSpeed) <= 0.002)
            #expect(Int(pvt.satellitesUsed) == epoch.observation.satellites.count(where: \.isUsed))
            let deviations = solution.deviations
            let horizontal =
                (deviations.north * deviations.north
                + deviations.east * deviations.east).squareRoot()
            #expect(abs(try #require(pvt.horizontalAccuracy) - horizontal) <= 0.001)
            let dop = try #require(epoch.first(NavDOP.self))
            #expect(abs(try #require(dop.horizontal) - solution.dilution.hdop) <= 0.0051)
            #expect(dop.position == pvt.positionDilution)
        }
    }

    @Test(arguments: Personality.pvt)
    func `the frames give the truth of a receiver without errors`(
        _ personality: Personality
    ) throws {
        var configuration = SimulatedReceiver.Configuration.ubx(personality)
        configuration.errors = ErrorModel().scaled(by: 0)
        for epoch in UBXRun(configuration, epochs: 5).epochs {
            let truth = epoch.epoch.truth
            let pvt = try #require(epoch.first(NavPVT.self))
            #expect(abs(pvt.latitude - truth.state.coordinate.latitude) <= 0.51e-7)
            #expect(abs(pvt.longitude - truth.state.coordinate.longitude) <= 0.51e-7)
            #expect(abs(pvt.altitude - truth.state.altitude) <= 0.00051)
        }
    }

    @Test func `a u-blox 6 gives the solution in parts, in coordinates of both kinds`() throws {
        for epoch in UBXRun(.ubx(.ublox6), epochs: 5).epochs {
            let solution = try #require(epoch.observation.solution)
            let position = try #require(epoch.first(NavPOSLLH.self))
            #expect(abs(position.latitude - solution.coordinate.latitude) <= 0.51e-7)
            #expect(abs(position.longitude - solution.coordinate.longitude) <= 0.51e-7)
            #expect(abs(position.altitude - solution.altitude) <= 0.00051)
            let sol = try #require(epoch.first(NavSOL.self))
            #expect(sol.fixType == .threeD && sol.flags.isFixOK && sol.flags.hasWeek)
            #expect(Int(sol.satellitesUsed) == epoch.observation.satellites.count(where: \.isUsed))
            let point = Vector(x: sol.x, y: sol.y, z: sol.z)
            let fixed = WGS84.position(
                of: solution.coordinate, height: position.ellipsoidalAltitude)
            #expect(abs(point.x - fixed.x) <= 0.02 && abs(point.y - fixed.y) <= 0.02)
            #expect(abs(point.z - fixed.z) <= 0.02)
            let velocity = try #require(epoch.first(NavVELNED.self))
            #expect(abs(velocity.groundSpeed - solution.speed) <= 0.0051)
            let local = WGS84.local(
                Vector(x: sol.velocityX, y: sol.velocityY, z: sol.velocityZ),
                at: solution.coordinate)
            #expect(abs(local.north - velocity.velocityNorth) <= 0.02)
            #expect(abs(local.east - velocity.velocityEast) <= 0.02)
            #expect(abs(local.up + velocity.velocityDown) <= 0.02)
            let time = try #require(epoch.first(NavTIMEUTC.self))
            #expect(time.validity.isUTC && time.year == 2026 && time.hour == 12)
        }
    }

    @Test func `an F9P gives nanodegrees, and covariances and levels that fit its accuracies`()
        throws
    {
        for epoch in UBXRun(.ubx(.f9p), epochs: 5).epochs {
            let solution = try #require(epoch.observation.solution)
            let pvt = try #require(epoch.first(NavPVT.self))
            let precise = try #require(epoch.first(NavHPPOSLLH.self))
            #expect(!precise.flags.isPositionInvalid)
            #expect(abs(precise.latitude - solution.coordinate.latitude) <= 0.51e-9)
            #expect(abs(precise.longitude - solution.coordinate.longitude) <= 0.51e-9)
            #expect(abs(precise.altitude - solution.altitude) <= 0.000051)
            #expect(Double(precise.coarseLatitude) / 1e7 == pvt.latitude)
            let cov = try #require(epoch.first(NavCOV.self))
            let drms = Double(cov.positionNN + cov.positionEE).squareRoot()
            #expect(abs(drms - (pvt.horizontalAccuracy ?? 0)) <= 0.001)
            #expect(
                cov.positionNE * cov.positionNE <= cov.positionNN * cov.positionEE * 1.001)
            let pl = try #require(epoch.first(NavPL.self))
            #expect(pl.isPositionValid == 1 && pl.position3 > (pvt.verticalAccuracy ?? 0))
            let status = try #require(epoch.first(NavSTATUS.self))
            #expect(status.fixType == pvt.fixType && status.flags.isFixOK)
        }
    }

    @Test(arguments: Personality.ubx)
    func `the satellites are those observed`(_ personality: Personality) throws {
        for epoch in UBXRun(.ubx(personality), epochs: 3).epochs {
            let sat = epoch.first(NavSAT.self)?.satellites.map {
                Entry($0.satellite, $0.elevation, $0.azimuth, $0.cn0, $0.flags.isUsed)
            }
            let svinfo = epoch.first(NavSVINFO.self)?.satellites.map {
                Entry($0.satellite, $0.elevation, $0.azimuth, $0.cn0, $0.flags.isUsed)
            }
            let entries = try #require(sat ?? svinfo)
            #expect(entries.count == epoch.observation.satellites.count)
            for (entry, satellite) in zip(entries, epoch.observation.satellites) {
                #expect(entry.id == satellite.id)
                #expect(entry.elevation == satellite.elevation.rounded())
                #expect(Double(entry.azimuth) == satellite.azimuth.rounded().wrappedDegrees)
                #expect(Double(entry.cn0) == satellite.signals.first?.cn0.rounded() ?? 0)
                #expect(entry.isUsed == satellite.isUsed)
            }
        }
    }

    /// A satellite of either list.
    private struct Entry {
        var id: SatelliteID?
        var elevation: Double?
        var azimuth: Int16
        var cn0: UInt8
        var isUsed: Bool

        init(
            _ id: SatelliteID?, _ elevation: Double?, _ azimuth: Int16, _ cn0: UInt8, _ used: Bool
        ) {
            (self.id, self.elevation, self.azimuth, self.cn0) = (id, elevation, azimuth, cn0)
            isUsed = used
        }
    }

    @Test(arguments: [Personality.ublox10, .f9p])
    func `the signals keep their numbers`(_ personality: Personality) throws {
        let epoch = try #require(UBXRun(.ubx(personality), epochs: 1).epochs.first)
        let sig = try #require(epoch.first(NavSIG.self))
        let observed = epoch.observation.satellites.flatMap { satellite in
            satellite.signals.map { "\(satellite.id) \($0.signal)" }
        }
        let sent = try sig.signals.map { signal in
            let id = try #require(signal.satellite)
            let number = try #require(id.constellation.nmeaSignal(ofUBX: signal.signalID))
            return "\(id) \(number)"
        }
        #expect(sent == observed)
        let glonass = sig.signals.filter { $0.gnssID == 6 }
        #expect(!glonass.isEmpty && glonass.allSatisfy { $0.frequencyID <= 13 })
    }
}

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
