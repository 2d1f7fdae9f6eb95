// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import GPSConfiguration
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// Ephemerides instead of stored data.
extension SimulatedWarmStartTests {
    /// Ephemerides of GPS satellites with this age.
    private static func ephemerides(_ count: Int, hours: Double = 0) -> AssistanceData {
        let toe = (now - Int(hours * 3600)) / 16 * 16
        let text = TextBuffer.text { text in
            text.append(text: String(repeating: " ", count: 60) + "END OF HEADER\n")
            for number in 1...count {
                text.append(text: "G" + String(number, width: 2))
                text.append(rinexEpoch: toe)
                let orbit = [
                    0, 0, 1, 0, 0, Double(number) / 2, 0, 0.01, 0, 5153.6,
                    Double(toe % 604_800), 0, Double(number), 0, 0.96, 0, 0, -8e-9, 0, 1,
                    Double(toe / 604_800), 0, 2, 0, 0, 1, 0, 4, 0, 0,
                ]
                for (index, value) in ([0.0] + orbit).enumerated() {
                    if index % 4 == 3 { text.append("\n    ") }
                    text.append(scientific: value, decimals: 12, width: 19)
                }
                text.append("\n")
            }
        }
        return AssistanceData(rinex: text, at: now)
    }

    /// The time at which simulated receivers start, in seconds since 6 January 1980.
    private static let now = Int(SimulatedReceiver.defaultStart) - 315_964_800 + 18

    @Test(arguments: [Personality.ublox8, .ublox9, .ublox10, .f9p])
    func `the first fix takes 28 s cold, 3 s with new ephemerides, and longer with older ones`(
        _ personality: Personality
    ) throws {
        var chip = try Self.restarted(personality).chip
        let cold = Self.run(&chip, .restore, assistance: AssistanceData())
        #expect(cold.firstFix.map { 28...29 ~= $0 } == true, "\(cold)")
        #expect(cold.outcome == .failed(.nothingStored))
        var times: [Double] = []
        for hours in [0, 1, 1.9, 2.5, 3, 3.5] as [Double] {
            chip = try Self.restarted(personality).chip
            let result = Self.run(&chip, .restore, assistance: Self.ephemerides(8, hours: hours))
            let firstFix = try #require(result.firstFix, "\(result)")
            times.append(firstFix)
            #expect(firstFix <= 3 || hours > 2, "\(hours) h: \(result)")
            guard case .restored(let transfer)? = result.outcome else { throw Missing() }
            #expect(transfer.ephemerisCount == 8 && transfer.refusedCount == 0, "\(transfer)")
            #expect(transfer.age == nil)
            #expect(chip.assistance?.stale == 0 && chip.assistance?.wrong == 0)
        }
        // Half of the satellites' help is missing after three hours.
        let expected = [8.0...10, 14...17, 21...24]
        #expect(zip(expected, times.suffix(3)).allSatisfy { $0 ~= $1 }, "\(times)")
        for hours in [4.1, -3, 24, 168] as [Double] {
            chip = try Self.restarted(personality).chip
            let data = Self.ephemerides(8, hours: hours)
            #expect(Self.run(&chip, .restore, assistance: data).outcome == .failed(.nothingStored))
            #expect(chip.assistance?.accepted == 0 && chip.assistance?.stale == 0)
        }
    }

    /// The ephemerides of all satellites, of which half are below the horizon.
    private static let sky: (data: AssistanceData, ephemerides: [SatelliteID: Ephemeris]) = {
        var (data, found) = (AssistanceData(), [SatelliteID: Ephemeris]())
        for orbit in Constellation.allCases.flatMap({ NominalConstellation.orbits(of: $0) }) {
            guard let ephemeris = orbit.ephemeris(at: now) else { continue }
            data.add(ephemeris, at: now)
            found[orbit.id] = ephemeris
        }
        return (data, found)
    }()

    /// The satellites whose ephemerides a run has sent.
    private static func sent(_ result: Result) -> [SatelliteID] {
        let systems: [UInt8: Constellation] = [
            0: .gps, 2: .galileo, 3: .beiDou, 5: .qzss, 6: .glonass,
        ]
        return result.written.compactMap { frame in
            guard frame.count > 8, frame[2] == 0x13, frame[6] == 1,
                let constellation = systems[frame[3]]
            else { return nil }
            return SatelliteID(constellation, Int(frame[8]))
        }
    }

    @Test(arguments: [Personality.ublox8, .ublox9, .ublox10, .f9p])
    func `ephemerides of constellations that are switched off are not sent`(
        _ personality: Personality
    ) throws {
        for used in [Set<Constellation>([.gps, .galileo]), [.galileo, .beiDou], [.glonass]] {
            var chip = try Self.restarted(personality).chip
            let known = chip.answers(to: CfgVALGET([.wholeGroup(0x31)]).frame)
            if let frame = UBXFrame(known.span), let items = CfgVALGET(frame)?.items {
                let changed = SignalKey.constellations.filter { signal in
                    items.contains { $0.key == signal.key }
                }.map { signal in
                    ConfigurationItem(signal.key, signal.constellation.map(used.contains) ?? false)
                }
                _ = chip.answers(to: CfgVALSET(changed).frame)
            }
            // A chip of generation 8 has no keys, and one of generation 10 has no CFG-GNSS.
            let poll = chip.answers(to: UBXFrame.bytes(CfgGNSS.id, payload: []))
            if let frame = UBXFrame(poll.span), var settings = CfgGNSS(frame) {
                for index in settings.blocks.indices {
                    settings.blocks[index].isEnabled =
                        settings.blocks[index].constellation.map(used.contains) ?? false
                }
                _ = chip.answers(to: settings.frame)
            }
            var restart = CfgRST()
            (restart.clearedData, restart.mode) = (0xFFFF, .gnssOnly)
            _ = chip.answers(to: restart.frame)
            let result = Self.run(&chip, .restore, assistance: Self.sky.data)
            let sent = Set(Self.sent(result).map(\.constellation))
            #expect(sent == used, "\(used): \(sent)")
            // The chip would have refused them.
            #expect(chip.assistance?.foreign == 0 && result.firstFix.map { $0 <= 3 } == true)
        }
    }

    @Test func `only ephemerides of satellites above the horizon are sent, the highest first`()
        throws
    {
        var (chip, data) = try Self.restarted(.ublox10)
        // Entries of the database are sent only while they are new.
        data.time = data.time.adding(-5 * 3600)
        data.position.accuracy = 1000
        let sent = Self.sent(Self.run(&chip, .restore, stored: data, assistance: Self.sky.data))
        let place = Coordinate(
            latitude: data.position.latitude, longitude: data.position.longitude)
        func elevation(_ id: SatelliteID) -> Double {
            Self.sky.ephemerides[id]?.elevation(at: Double(Self.now), from: place) ?? -90
        }
        let elevations = sent.map(elevation)
        #expect(elevations == elevations.sorted(by: >))
        // The receiver may have moved 900 km in five hours, which is 8° on the ground.
        #expect(elevations.allSatisfy { $0 > -15 }, "\(elevations)")
        let above = Self.sky.ephemerides.keys.filter { elevation($0) > 0 }
        #expect(Set(above).isSubset(of: sent) && sent.count < Self.sky.ephemerides.count)
    }

    @Test func `files of ephemerides may have CR LF, BeiDou's leap seconds and unknown delays`() {
        func messages(_ text: String) -> (ephemerides: [[UInt8]], parameters: [[UInt8]]) {
            AssistanceData(rinex: text, at: Self.now).frames(at: Self.now, for: nil, nil)
        }
        let header = [
            "    3.05           NAVIGATION DATA     M".padding(60) + "RINEX VERSION / TYPE",
            "GPUT  1.8626451492E-09 0.000000000E+00 319488 2400".padding(60) + "TIME SYSTEM CORR",
            "    18    18  2185     7".padding(60) + "LEAP SECONDS",
            "GPSA   1.5832E-08  1.4901E-08 -1.1921E-07 -1.1921E-07".padding(60)
                + "IONOSPHERIC CORR",
            "GPSB   1.0650E+05  6.5536E+04 -1.9661E+05 -1.9661E+05".padding(60)
                + "IONOSPHERIC CORR",
        ]
        let end = "".padding(60) + "END OF HEADER\n"
        let orbits = Self.sky.data.rinex(at: Self.now).components(after: end)
        let text = header.joined(separator: "\n") + "\n" + end + orbits
        let expected = messages(text)
        #expect(!expected.ephemerides.isEmpty && !expected.parameters.isEmpty)
        let beiDou = "     4     4  2185     7BDS".padding(60) + "LEAP SECONDS\n" + end
        for other in [
            text.replacing("\n", with: "\r\n"), text.replacing(end, with: beiDou),
        ] {
            let found = messages(other)
            #expect(found.ephemerides == expected.ephemerides)
            #expect(found.parameters == expected.parameters)
        }
        // Version 4 has the parameters in records.
        let record =
            "> STO G01 LNAV\n    2026 01 07 16 44 48 GPUT".padding(15 + 62) + "UTC(USNO)\n    "
            + " 3.194880000000E+05 1.862645149200E-09 0.000000000000E+00 0.000000000000E+00\n"
            + "> ION G01 LNAV\n    2026 01 07 16 44 48"
            + " 1.583200000000E-08 1.490100000000E-08-1.192100000000E-07\n    "
            + "-1.192100000000E-07 1.065000000000E+05 6.553600000000E+04-1.966100000000E+05\n    "
            + "-1.966100000000E+05 0.000000000000E+00\n"
        let later = header[2] + "\n" + end + record + orbits
        #expect(messages(later).parameters == expected.parameters)
        #expect(RINEXNavigation.version(of: text) == 3.05)
        #expect(RINEXNavigation.version(of: "x") == nil)
    }

    @Test func `GLONASS satellites that are not healthy are not used`() {
        let toe = Self.now / 900 * 900
        func record(_ number: Int, health: Double, delay: Double) -> String {
            TextBuffer.text { text in
                text.append(text: "R" + String(number, width: 2))
                text.append(rinexEpoch: toe)
                let values = [
                    0, 0, Double(toe % 604_800), 7000, 1, 0, health, -14_000, 2, 0, 1, 20_000, 1,
                    0, 0, 15, delay, 15, 0,
                ]
                for (index, value) in values.enumerated() {
                    if index % 4 == 3 { text.append("\n    ") }
                    text.append(scientific: value, decimals: 12, width: 19)
                }
                text.append("\n")
            }
        }
        let unknown = 999_999_999.999
        let text =
            "".padding(60) + "END OF HEADER\n" + record(1, health: 0, delay: 0)
            + record(2, health: 1, delay: 0) + record(3, health: 0, delay: unknown)
        let data = AssistanceData(rinex: text, at: Self.now)
        #expect(data.ephemerides(at: Self.now).map { Int($0.satellite.svid) } == [1, 2, 3])
        #expect(data.ephemerides(at: Self.now).map(\.isHealthy) == [true, false, true])
        #expect(data.frames(at: Self.now, for: nil, nil).ephemerides.count == 2)
        let stored = AssistanceData(rinex: data.rinex(at: Self.now), at: Self.now)
        #expect(stored.ephemerides(at: Self.now).map(\.isHealthy) == [true, false, true])
    }

    @Test func `damaged files of ephemerides give fewer of them, and never others`() {
        let text = Self.sky.data.rinex(at: Self.now)
        let all = AssistanceData(rinex: text, at: Self.now).ephemerides(at: Self.now)
        #expect(all.count == Self.sky.data.ephemerides(at: Self.now).count)
        let count = text.utf8.count
        var wrong = stride(from: 0, to: count, by: max(1, count / 50)).map {
            String(decoding: text.utf8.prefix($0), as: UTF8.self)
        }
        // Letters in numbers, and other formats.
        wrong += [
            text.replacing("E-0", with: "X-0"), text.replacing("\n    ", with: "\n   X"),
            "$GPGGA,1,2,3\n", "\0\u{1}\u{2}", String(repeating: "G01 ", count: 1000),
        ]
        for text in wrong {
            let found = AssistanceData(rinex: text, at: Self.now).ephemerides(at: Self.now)
            #expect(found.count <= all.count)
            // A line that ends between two numbers may lack the last ones, which are no orbit's.
            let orbits = Set(all.map { $0.position(at: Double($0.toe)).x })
            for ephemeris in found {
                let position = ephemeris.position(at: Double(ephemeris.toe))
                #expect(orbits.contains(position.x), "\(ephemeris.satellite): \(position)")
            }
        }
    }

    @Test(arguments: [Personality.ublox8, .ublox10, .f9p])
    func `the messages of a simulated sky are ephemerides, which help another receiver`(
        _ personality: Personality
    ) throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        var chip = SimulatedReceiver(configuration)
        // On the USB port; M8 has no keys.
        for (id, key) in [(NavPVT.id, UInt32(0x2091_0009)), (RxmSFRBX.id, 0x2091_0234)] {
            _ = chip.answers(to: CfgMSG(id, rate: 1).frame)
            let item = ConfigurationItem(ConfigurationKey(key), UInt64(1))
            _ = chip.answers(to: CfgVALSET([item]).frame)
        }
        var (decoder, found) = (NavigationDecoder(), [Ephemeris]())
        for _ in 0..<60 {
            let bytes = chip.next().bytes
            for start in bytes.indices where bytes[start] == 0xB5 {
                guard let frame = UBXFrame(bytes.span.extracting(start..<bytes.count)) else {
                    continue
                }
                decoder.push(frame) { if case .ephemeris(let new) = $0 { found.append(new) } }
            }
        }
        #expect(found.count > 5)
        var data = AssistanceData()
        for ephemeris in found {
            data.add(ephemeris, at: Self.now)
            let orbits = NominalConstellation.orbits(of: ephemeris.satellite.constellation)
            let orbit = try #require(orbits.first { $0.id == ephemeris.satellite })
            // In the system's own time, and in UTC.
            let offset =
                switch ephemeris.message {
                case .fdma: 0.0
                case .d1: 14.0 - 18
                default: -18.0
                }
            let days = (Double(ephemeris.toe) + offset + 315_964_800 - 946_728_000) / 86_400
            let error =
                (orbit.position(daysSinceJ2000: days)
                - ephemeris.position(at: Double(ephemeris.toe))).length
            #expect(error < 20_000, "\(ephemeris.satellite): \(error) m")
        }
        var restarted = try Self.restarted(personality).chip
        let result = Self.run(&restarted, .restore, assistance: data)
        #expect(result.firstFix.map { $0 <= 3 } == true, "\(result)")
    }

    @Test func `ephemerides replace the entries of stored data that is older than four hours`()
        throws
    {
        var (chip, data) = try Self.restarted(.ublox10)
        data.time = data.time.adding(-5 * 3600)
        let result = Self.run(&chip, .restore, stored: data, assistance: Self.ephemerides(12))
        guard case .restored(let transfer)? = result.outcome else { throw Missing() }
        // The time, the position and the ephemerides of satellites above the horizon.
        #expect(transfer.acceptedCount == 2 + transfer.ephemerisCount, "\(transfer)")
        #expect(2..<12 ~= transfer.ephemerisCount)
    }
}

/// Ephemerides that do not come from receivers.
@Suite(.timeLimit(.generous)) struct OtherEphemeridesTests {
    /// Message 1019 with the ephemeris of a GPS satellite.
    private static func message(_ ephemeris: Ephemeris) -> [UInt8] {
        let fields: [(NavigationParameter, Int)] = [
            (.week, 10), (.accuracy, 4), (.codeOnL2, 2), (.iDot, 14), (.iode, 8), (.toc, 16),
            (.af2, 8), (.af1, 16), (.af0, 22), (.iodc, 10), (.crs, 16), (.deltaN, 16), (.m0, 32),
            (.cuc, 16), (.e, 32), (.cus, 16), (.rootA, 32), (.toe, 16), (.cic, 16), (.omega0, 32),
            (.cis, 16), (.i0, 32), (.crc, 16), (.omega, 32), (.omegaDot, 24), (.tgd1, 8),
            (.health, 6), (.l2P, 1), (.fit, 1),
        ]
        var bits = BitString()
        bits.append(1019, width: 12)
        bits.append(UInt32(ephemeris.satellite.svid), width: 6)
        for (parameter, width) in fields {
            bits.append(
                UInt32(truncatingIfNeeded: ephemeris.numbers[parameter]), width: width)
        }
        return bits.bytes
    }

    @Test func `an ephemeris of today is kept, if the time is known`() throws {
        let time = try #require(UTCTime(iso8601: "2026-03-21T12:00:00Z"))
        let now = try #require(AssistanceData.seconds(time))
        let orbits = NominalConstellation.orbits(of: .gps)
        let ephemerides = orbits.compactMap { $0.ephemeris(at: now) }
        let today = OtherEphemerides { SynchronizedTime(time, maximumError: 0.01) }
        let unknown = OtherEphemerides { nil }
        let later = OtherEphemerides { SynchronizedTime(time.adding(86_400), maximumError: 1) }
        for ephemeris in ephemerides {
            let message = Self.message(ephemeris)
            for collection in [today, unknown, later] {
                collection.add(rtcm: message)
                collection.add(rtcm: Array(message.dropLast(2)))
                collection.add(rtcm: [])
            }
        }
        let found = today.data(isSimulated: false, at: now).ephemerides(at: now)
        #expect(!found.isEmpty)
        #expect(Set(found.map(\.assistance)) == Set(ephemerides.map(\.assistance)))
        let none = [unknown, later].allSatisfy { $0.data(isSimulated: true, at: now).isEmpty }
        #expect(none)
    }

    /// The ephemerides of GPS at a time, of real or of simulated receivers.
    private static func sky(at now: Int, isSimulated: Bool) -> AssistanceData {
        var data = AssistanceData()
        data.isSimulated = isSimulated
        for orbit in NominalConstellation.orbits(of: .gps) {
            if let ephemeris = orbit.ephemeris(at: now) { data.add(ephemeris, at: now) }
        }
        return data
    }

    @Test
    func `a file of ephemerides is read when a receiver needs them, and then for half an hour not`()
        async throws
    {
        let time = try #require(UTCTime(iso8601: "2026-03-21T12:00:00Z"))
        let now = try #require(AssistanceData.seconds(time))
        let folder = try TemporaryFolder()
        let messages = Witness<String>()
        let collection = OtherEphemerides(from: .file(folder.path("site.rnx"))) {
            SynchronizedTime(time, maximumError: 0.01)
        } report: {
            messages.note($0)
        }
        func count() -> Int {
            collection.data(isSimulated: false, at: now).ephemerides(at: now).count
        }
        #expect(count() == 0)
        await collection.update()
        #expect(count() == 0 && messages.all.count == 1, "\(messages.all)")
        let text = Self.sky(at: now, isSimulated: false).rinex(at: now)
        _ = try folder.file("site.rnx", Array(text.utf8))
        async let first: Void = collection.update()
        async let second: Void = collection.update()
        _ = await (first, second)
        #expect(count() > 20 && messages.all.count == 1)
        _ = try folder.file("site.rnx", Array("nothing".utf8))
        await collection.update()
        #expect(count() > 20 && messages.all.count == 1)
    }

    @Test(arguments: [
        ("site.rnx", AssistanceSource.file("site.rnx")), ("nats://h/f", .fleet("nats://h/f")),
        ("tls://me@h:4222/f", .fleet("tls://me@h:4222/f")), ("", nil), ("nats://h", nil),
        ("nats://h/", nil), ("nats://h/f/b", nil), ("nats://me:secret@h/f", nil),
        ("mqtt://h/f", nil), ("https://h/f", nil),
    ])
    func `a source of ephemerides is a file or a fleet, without a password`(
        _ text: String, _ source: AssistanceSource?
    ) {
        #expect(AssistanceSource(text) == source)
    }

    @Test
    func `a real receiver gets no ephemerides of simulated ones, which have their own file`()
        async throws
    {
        let time = try #require(UTCTime(iso8601: "2026-03-21T12:00:00Z"))
        let now = try #require(AssistanceData.seconds(time))
        let home = try TemporaryFolder()
        let folder = JournalFolder(path: home.path)
        let simulated = Self.sky(at: now, isSimulated: true)
        try folder.ephemerides(isSimulated: true).add(simulated, at: time)
        #expect(folder.assistance(isSimulated: false, at: time).isEmpty)
        let read = folder.assistance(isSimulated: true, at: time)
        #expect(read.isSimulated && !read.ephemerides(at: now).isEmpty)
        let path = folder.ephemerides(isSimulated: true).path
        let collection = OtherEphemerides(from: .file(path)) {
            SynchronizedTime(time, maximumError: 0.01)
        }
        await collection.update()
        #expect(collection.data(isSimulated: false, at: now).isEmpty)
        #expect(!collection.data(isSimulated: true, at: now).isEmpty)
    }

    @Test func `a session refuses to send simulated ephemerides to a real receiver`() throws {
        let time = try #require(UTCTime(iso8601: "2026-03-21T12:00:00Z"))
        let now = try #require(AssistanceData.seconds(time))
        let start = MonotonicInstant.now
        for isSimulated in [true, false] {
            var session = WarmStartSession(
                .restore, line: ConfigurationLine(baudRate: nil, isNativeUSB: true)
            ) { SynchronizedTime(time, maximumError: 0.01) }
            var version = MonVER()
            (version.software, version.hardware) = ("ROM SPG 5.10", "000A0000")
            for text in ["PROTVER=34.10"] + (isSimulated ? ["SIMULATED"] : []) {
                var line = MonVER.Extension()
                line.text = text
                version.extensions.append(line)
            }
            var number = SecUNIQID()
            number.identity = [1, 2, 3, 4, 5]
            var solution = NavPVT()
            solution.fixType = .none
            var outcome: WarmStartOutcome?
            var (hasLoaded, requests) = (false, 0)
            let answers = [version.frame, number.frame, solution.frame]
            while outcome == nil, let output = session.next(at: start) {
                switch output {
                case .write:
                    guard requests < answers.count else {
                        outcome = .failed(.interrupted)
                        break
                    }
                    session.receive(answers[requests], at: start)
                    requests += 1
                case .load(_, let isOfSimulated):
                    #expect(isOfSimulated == isSimulated)
                    hasLoaded = true
                    session.didLoad(nil, Self.sky(at: now, isSimulated: true), at: start)
                case .finished(let result): outcome = result
                }
            }
            #expect(hasLoaded)
            #expect(outcome == .failed(isSimulated ? .interrupted : .simulated))
        }
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate func components(after text: String) -> Substring {
        firstRange(of: text).map { self[$0.upperBound...] } ?? ""
    }
}
