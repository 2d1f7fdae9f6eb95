// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing
import UBX

@testable import GPSFormats

/// Recordings without the place at which the receiver was.
@Suite(.timeLimit(.generous)) struct ShiftedRecordingTests {
    private static let place = Coordinate(latitude: 48.1234567, longitude: 11.7654321)

    /// The fixes of a receiver's bytes.
    private static func fixes(_ bytes: [UInt8]) -> [Fix] {
        var fixes: [Fix] = []
        var decoder = NMEADecoder()
        decoder.push(bytes.span) { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
        decoder.finish { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
        return fixes
    }

    private static func recording(
        _ personality: Personality, _ protocols: OutputProtocols = .nmea, speed: Double = 12
    ) throws -> [UInt8] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.trajectory = CircleTrack(
            center: place, radius: 400, speed: speed, altitude: 517)
        (configuration.personality, configuration.protocols) = (personality, protocols)
        var receiver = SimulatedReceiver(configuration)
        return (0..<60).flatMap { _ in receiver.next().bytes }
    }

    @Test(arguments: Personality.all)
    func `distances, courses, climbs and times stay, and the place does not`(
        _ personality: Personality
    ) throws {
        let bytes = try Self.recording(personality)
        var shifted = ShiftedRecording()
        let copy = shifted.push(bytes)
        let (before, after) = (Self.fixes(bytes), Self.fixes(copy))
        guard before.contains(where: { $0.coordinate != nil }) else { return }
        try #require(before.count == after.count, "\(shifted.leftOut)")
        // The last digit of each of four numbers, and its random part, in metres.
        let step = (0..<personality.decimals.minutes).reduce(1852.0) { step, _ in step / 10 }
        for index in before.indices.dropFirst() {
            #expect(before[index].time == after[index].time)
            #expect(before[index].speed == after[index].speed)
            #expect(before[index].course == after[index].course)
            guard let a = before[index].coordinate, let b = after[index].coordinate,
                let c = before[index - 1].coordinate, let d = after[index - 1].coordinate
            else { continue }
            #expect(abs(a.distance(to: c) - b.distance(to: d)) < 6 * step + 0.001)
            #expect(a.distance(to: b) > 20_000)
            #expect(after[index].geoidSeparation == nil)
            #expect(after[index].magneticVariation == nil)
            if let a = before[index].altitude, let b = before[index - 1].altitude,
                let c = after[index].altitude, let d = after[index - 1].altitude
            {
                #expect(abs((a - b) - (c - d)) < 0.11)
            }
        }
    }

    @Test(arguments: [OutputProtocols.ubx, .both])
    func `positions of UBX are moved with those of sentences`(_ protocols: OutputProtocols) throws {
        let personality = try #require(Personality.all.first { $0.name == "ublox8" })
        let bytes = try Self.recording(personality, protocols)
        var shifted = ShiftedRecording()
        let copy = shifted.push(bytes)
        let (before, after) = (Self.fixes(bytes), Self.fixes(copy))
        #expect(before.count == after.count)
        for (a, b) in zip(before, after) {
            let (a, b) = try (#require(a.coordinate), #require(b.coordinate))
            #expect(a.distance(to: b) > 20_000)
        }
        let summary = (before.dropFirst(), before, after.dropFirst(), after)
        for (a, c) in zip(zip(summary.0, summary.1), zip(summary.2, summary.3)) {
            let (a, b) = try (#require(a.0.coordinate), #require(a.1.coordinate))
            let (c, d) = try (#require(c.0.coordinate), #require(c.1.coordinate))
            #expect(abs(a.distance(to: b) - c.distance(to: d)) < 0.1)
        }
    }

    @Test
    func `measurements, messages of satellites, configuration and unknown sentences are left out`()
    {
        var raw = RxmRAWX()
        raw.timeOfWeek = 1
        let bytes =
            raw.frame + RxmSFRBX().frame
            + UBXFrame.bytes(UBXMessageID(1, 1), payload: [UInt8](repeating: 1, count: 20))
            + Array("$PXYZ,48.1,11.7*".utf8)
        var shifted = ShiftedRecording()
        let sentence = "PXYZ,4812.3,N,01145.2,E"
        let sum = String(sentence.utf8.reduce(0, ^), radix: 16, uppercase: true)
        let line = "$\(sentence)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
        _ = shifted.push(bytes + Array("\r\n\(line)".utf8))
        #expect(shifted.leftOut["sentences PXYZ"] == 1)
        #expect(shifted.leftOut.keys.count { $0.hasPrefix("messages ") } == 3)
    }

    private static func line(_ body: String) -> [UInt8] {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
    }

    private static func copy(_ lines: [UInt8]) -> String {
        var shifted = ShiftedRecording()
        return String(decoding: shifted.push(lines), as: UTF8.self)
    }

    @Test func `fields beyond those of a sentence, and unknown texts, are not copied`() {
        let extended = Self.copy(Self.line("GPVTG,1.0,T,,M,1.0,N,2.0,K,A,,,4812.3"))
        #expect(extended.hasPrefix("$GPVTG,1.0,T,,M,1.0,N,2.0,K,A,,,*"))
        #expect(Self.copy(Self.line("GPTXT,01,01,02,LIC 85E7-6E21")) == "")
        #expect(Self.copy(Self.line("GPTXT,01,01,02,ANTSTATUS=OPEN")).contains("ANTSTATUS=OPEN"))
    }

    @Test func `an altitude without a position, and the height of the geoid, reveal nothing`() {
        let fix = "GPGGA,120000.00,4812.30000,N,01145.20000,E,1,08,0.9,517.3,M,46.1,M,,"
        let none = "GPGGA,120001.00,0000.00000,N,00000.00000,E,0,00,99,0.0,M,46.1,M,,"
        let void = "GPGGA,120001.00,,,,,0,00,99,0.0,M,46.1,M,,"
        let other = "PUBX,00,120000.00,4812.30000,N,01145.20000,E,563.4,G3,1,1,0,0,0,,1,1,1,8,0,0"
        for line in [none, void] {
            let text = Self.copy(Self.line(fix) + Self.line(line))
            #expect(text.split(separator: "\r\n").last?.contains(",99,,M,,M,,*") == true, "\(text)")
        }
        #expect(Self.copy(Self.line(fix) + Self.line(other)).contains(",,G3,"))
    }

    @Test func `damaged and unprotected sentences are still found`() {
        let damaged = Self.copy(
            Array("$GPGGA,120000.00,4812.3,N,01145.2,E,1,08,0.9,517.3,M*00\r\n".utf8))
        #expect(damaged == "$GPTXT,01,01,02,DAMAGED*00\r\n")
        let unprotected = Self.copy(Array("$GPGSA,A,3,01,,,,,,,,,,,,1.0,1.0,1.0\r\n".utf8))
        #expect(unprotected == "$GPGSA,A,3,01,,,,,,,,,,,,1.0,1.0,1.0\r\n")
    }

    @Test func `a satellite keeps its first direction, in steps of 10 degrees`() {
        let views = [(44, 359), (46, 1)].flatMap { elevation, azimuth in
            Self.line("GPGSV,1,1,01,07,\(elevation),\(azimuth),41")
        }
        let text = Self.copy(views)
        #expect(
            text.split(separator: "\r\n").allSatisfy { $0.contains(",07,40,000,41*") }, "\(text)")
    }

    @Test func `positions on the receiver's grid do not reveal its latitude`() throws {
        // On a grid, equal steps would give distances of few values.
        var shift = PositionShift()
        var distances: Set<Int> = []
        var last: Coordinate?
        for index in 0..<200 {
            let position = Coordinate(latitude: 9, longitude: 11 + Double(index) / 600_000)
            let place = shift.shifted(position, step: 1.0 / 600_000)
            if let last, let place {
                distances.insert(Int(nearest: last.distance(to: place) * 1000))
            }
            last = place
        }
        #expect(distances.count > 100)
    }

    @Test func `pieces of any size give the same messages`() throws {
        let personality = try #require(Personality.all.first { $0.name == "ublox8" })
        let bytes = try Self.recording(personality, .both)
        for size in [1, 7, 1000] {
            var shifted = ShiftedRecording()
            var copy: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                copy += shifted.push(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(Self.fixes(copy).count == Self.fixes(bytes).count)
        }
    }

    @Test func `a place that everybody knows does not reveal the others`() throws {
        var shift = PositionShift()
        let factory = Coordinate(latitude: 47.2852, longitude: 8.5653)
        let places = [factory, Self.place, factory].map { shift.shifted($0, step: 1e-7) }
        let (first, second) = try (#require(places[0]), #require(places[1]))
        let third = try #require(places[2])
        // Each has a place of its own, also when they alternate.
        let wanted = factory.distance(to: Self.place)
        #expect(abs(first.distance(to: second) - wanted) > 100)
        #expect(first == third)
        let zero = shift.shifted(Coordinate(latitude: 0, longitude: 0), step: 1e-7)
        #expect(zero == Coordinate(latitude: 0, longitude: 0))
        let invalid = shift.shifted(Coordinate(latitude: 91, longitude: 0), step: 1e-7)
        #expect(invalid == nil)
        for latitude in [-90.0, 90] {
            let pole = shift.shifted(
                Coordinate(latitude: latitude, longitude: 7), step: 1e-7)
            #expect(pole?.isValid == true)
        }
    }
}
