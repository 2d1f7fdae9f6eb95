// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSServerExercises
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

@testable import GPSServer

/// A server of several receivers as a source.
@Suite(.timeLimit(.generous))
struct ServerOfReceiversTests {
    private static let version = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\"}\r\n"
    private static let watching = "{\"class\":\"WATCH\",\"enable\":true}\r\n"
    private static let poll = "?POLL;\n"
    private static let watchFirst =
        "?WATCH={\"enable\":true,\"nmea\":true,\"device\":\"/dev/a\"};\n"

    private static func devices(_ paths: String...) -> String {
        let devices = paths.map {
            "{\"class\":\"DEVICE\",\"path\":\"\($0)\",\"driver\":\"NMEA0183\","
                + "\"activated\":\"2026-03-23T12:00:00.000Z\"}"
        }
        return "{\"class\":\"DEVICES\",\"devices\":[\(devices.joined(separator: ","))]}\r\n"
    }

    /// Returns the answer to `?POLL` of a server with a device in mode 3 and another one.
    private static func positions(
        _ mode: Int, _ time: String = "2026-03-23T12:35:20.000Z"
    ) -> String {
        func report(_ path: String, _ mode: Int, _ time: String) -> String {
            "{\"class\":\"TPV\",\"device\":\"\(path)\",\"mode\":\(mode),\"time\":\"\(time)\",\"lat\":1.5}"
        }
        let reports = [
            report("/dev/b", 3, "2026-03-23T12:35:19.000Z"), report("/dev/a", mode, time),
        ]
        return "{\"class\":\"POLL\",\"active\":2,\"tpv\":[\(reports.joined(separator: ","))],"
            + "\"gst\":[],\"sky\":[{\"class\":\"SKY\",\"device\":\"/dev/b\"}]}\r\n"
    }

    private static func epoch(_ second: Int) -> String {
        String(decoding: ScriptedReceiver.epoch(second), as: UTF8.self)
    }

    private static func ublox(_ driver: String) -> String {
        "{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/a\"\(driver),"
            + "\"activated\":\"2026-03-23T12:00:00.000Z\"}]}\r\n"
    }
    private static let raw = "?WATCH={\"enable\":true,\"json\":false,\"nmea\":false,\"raw\":2};\n"

    // gpsd's sentences for UBX lack the accuracy, and their positions are rounded.
    @Test func `of a u-blox receiver behind gpsd, the bytes are read, with objects between them`()
        async throws
    {
        let (client, opening) = try await GPSDSourceTests.openSource()
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        let devices = Self.ublox(",\"driver\":\"u-blox\"")
        GPSDSourceTests.send(devices + Self.watching + Self.epoch(0), to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.raw)
        GPSDSourceTests.send(
            Self.epoch(1) + devices + Self.watching + "ab{x\n{\"class\":", to: client)
        GPSDSourceTests.send("\"DEVICE\",\"path\":\"/dev/b\"}\r\n{\"cld", to: client)
        let connection = try await opening.value
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "d")) {
            guard case .bytes(let next) = try await connection.read(until: nil) else { break }
            bytes += next
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "ab{x\n{\"cld")
    }

    @Test func `the driver of a device that gpsd has just opened is asked for with its first data`()
        async throws
    {
        for (driver, isRaw) in [("u-blox", true), ("NMEA0183", false), ("Unicore", false)] {
            let (client, opening) = try await GPSDSourceTests.openSource()
            GPSDSourceTests.send(Self.version, to: client)
            #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
            GPSDSourceTests.send(Self.ublox("") + Self.watching, to: client)
            let connection = try await opening.value
            GPSDSourceTests.send(Self.epoch(0), to: client)
            async let input = connection.read(until: nil)
            #expect(await GPSDSourceTests.request(of: client) == "?DEVICES;\n")
            GPSDSourceTests.send(Self.ublox(",\"driver\":\"\(driver)\""), to: client)
            if isRaw {
                #expect(await GPSDSourceTests.request(of: client) == Self.raw)
                GPSDSourceTests.send(Self.watching + Self.epoch(1), to: client)
            }
            #expect(try await input == .bytes(ScriptedReceiver.epoch(isRaw ? 1 : 0)))
        }
    }

    @Test func `of two receivers with positions, only one is read, until it is gone`() async throws
    {
        let (client, opening) = try await GPSDSourceTests.openSource()
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/b", "/dev/a") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.epoch(0) + Self.positions(3), to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.watchFirst)
        let connection = try await opening.value
        let answer = Self.epoch(1) + Self.devices("/dev/b", "/dev/a") + Self.watching
        GPSDSourceTests.send(answer + Self.epoch(2), to: client)
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(2)))
        GPSDSourceTests.send(Self.devices("/dev/b"), to: client)
        let error = await #expect(throws: DeviceError.self) {
            try await connection.read(until: nil)
        }
        #expect(error?.code == .disconnected)
    }

    @Test func `the devices of a server are combined while only one of them has positions`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (client, opening) = try await GPSDSourceTests.openSource(poller)
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/a", "/dev/b") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.positions(1), to: client)
        let connection = try await opening.value
        GPSDSourceTests.send(Self.epoch(0), to: client)
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(0)))

        clock.advance(by: .seconds(6))
        let reading = Task { try await connection.read(until: nil) }
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.positions(3), to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.watchFirst)
        GPSDSourceTests.send(Self.watching + Self.epoch(3), to: client)
        #expect(try await reading.value == .bytes(ScriptedReceiver.epoch(3)))

        // Another device replaces a receiver that stops sending.
        clock.advance(by: .seconds(91))
        let error = await #expect(throws: DeviceError.self) {
            try await connection.read(until: nil)
        }
        #expect(error?.code == .disconnected)
    }

    @Test func `all devices of a server that does not support POLL are read`() async throws {
        let (client, opening) = try await GPSDSourceTests.openSource()
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/a", "/dev/b") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send("{\"class\":\"ERROR\",\"message\":\"what?\"}\r\n", to: client)
        let connection = try await opening.value
        GPSDSourceTests.send(Self.epoch(0), to: client)
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(0)))
    }

    @Test(arguments: [
        (time: "2026-03-23T12:35:20.000Z", expected: "/dev/a"),
        (time: "2026-03-23T12:20:00.000Z", expected: "/dev/b"),
    ])
    func `the first device whose position is not old is read, and decides about replays`(
        _ device: (time: String, expected: String)
    ) {
        var filter = ObjectFilter()
        let replay =
            #"{"class":"DEVICE","path":"/dev/b","subtype":"replay","activated":"x"}"# + "\r\n"
        for text in [Self.devices("/dev/a"), replay, Self.watching] {
            _ = filter.remove(from: Array(text.utf8))
        }
        let (mustPoll, early) = (filter.beginPoll(), filter.follow())
        #expect(mustPoll && early == nil)
        _ = filter.remove(from: Array(Self.positions(2, device.time).utf8))
        let followed = filter.follow()
        #expect(followed == device.expected)
        #expect(filter.isReplay == (device.expected == "/dev/b"))
        #expect(filter.hasNoReplay == (device.expected == "/dev/a"))
        let (pollsAgain, other) = (filter.beginPoll(), filter.follow())
        #expect(!pollsAgain && other == nil)
    }

    @Test func `a server that sends an object without an end does not delay the time limits`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (client, opening) = try await GPSDSourceTests.openSource(poller)
        let flood = Task {
            let bytes = Array("{\"class\":\"".utf8) + [UInt8](repeating: 0x78, count: 200_000)
            while !Task.isCancelled {
                // A full buffer accepts only a part.
                _ = client.use { Glibc.send($0, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
                clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
        }
        let connection = try await opening.value
        #expect(try await connection.read(until: poller.now + .seconds(1)) == .silence)
        flood.cancel()
        await flood.value
    }

    @Test func `a session reports which receiver of a server it reads`() async throws {
        let sockets = try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0))
        let socket = try #require(sockets.first)
        defer { socket.close() }
        let source = GPSDSourceTests.source(try #require(socket.address?.port))
        let session = ReceiverPool(poller: source.poller).session(for: source)
        let devices = Witness<String>()
        let subscription = session.join { update in
            if case .notice(.oneDevice(let path)) = update { devices.note(path) }
        }
        let client = try #require(try await socket.accept())
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/a", "/dev/b") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.positions(3), to: client)
        #expect(await devices.first(1) == ["/dev/a"])
        withExtendedLifetime(subscription) {}
    }
}

/// A receiver that stays plugged in but stops sending.
@Suite(.timeLimit(.generous))
struct SilenceTests {
    @Test func `a silent receiver is reported by every output until it returns`() async throws {
        let receiver = try ScriptedReceiver()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        let messages = Witness<String>()
        let server = try ReceiverServer(
            sources: [source], configuration: configuration, pool: ReceiverPool(poller: poller),
            messages: MessageLog { text, _ in messages.note(text) })
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<4 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: #""mode":3"#) != nil)
            #expect(await client.ask("?POLL;", for: "POLL")?.contains(#""active":1"#) == true)
            #expect(try await Self.get("/health", server).contains("200"))

            while !messages.all.contains(where: { $0.contains("no valid data from") }) {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(await client.line(with: #""mode":1"#) != nil, "the old fix is not valid")
            let poll = await client.ask("?POLL;", for: "POLL")
            #expect(poll?.contains(#""active":0,"tpv":[]"#) == true)
            #expect(try await Self.get("/health", server).contains("503"))
            let metrics = try await Self.get("/metrics", server)
            #expect(metrics.contains("gpsbridge_device_up{device=\"\(receiver.path)\"} 0"))
            #expect(metrics.contains("gpsbridge_fix_mode{device=\"\(receiver.path)\"} 1"))
            try await Self.waitForState("silent", server)

            for second in 10..<14 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: #""mode":3"#) != nil)
            #expect(try await Self.get("/health", server).contains("200"))
            try await Self.waitForState("open", server)
            #expect(messages.all.count { $0.contains("no valid data from") } == 1)
            #expect(messages.all.count { $0.hasSuffix("is back") } == 1)
        }
    }

    @Test func `an AIS receiver that was silent at first is up when it sends messages`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        let messages = Witness<String>()
        let server = try ReceiverServer(
            sources: [source], configuration: configuration, pool: ReceiverPool(poller: poller),
            messages: MessageLog { text, _ in messages.note(text) })
        try await server.whileRunning { server in
            await receiver.waitForReader()
            while !messages.all.contains(where: { $0.contains("no valid data from") }) {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(try await Self.get("/health", server).contains("503"))
            let client = try TestClient(port: server.port ?? 0)
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for _ in 0..<5 {
                await receiver.send("!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n")
            }
            #expect(await client.line(with: #""class":"AIS""#) != nil)
            #expect(try await Self.get("/health", server).contains("200"))
            let metrics = try await Self.get("/metrics", server)
            #expect(metrics.contains("gpsbridge_device_up{device=\"\(receiver.path)\"} 1"))
            let poll = await client.ask("?POLL;", for: "POLL")
            #expect(poll?.contains(#""active":0"#) == true)
        }
    }

    @Test func `a reply divides a message of raw bytes only after a silence`() async throws {
        let receiver = try ScriptedReceiver()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        let server = try ReceiverServer(
            sources: [source], configuration: .local, pool: ReceiverPool(poller: poller),
            messages: MessageLog { _, _ in })
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"raw\":2}", for: "WATCH") != nil)
            await receiver.send("$GPHDT,274.07,T*03\r\n$GPHDT,27")
            #expect(await client.line() == "$GPHDT,274.07,T*03")
            let reply = await client.ask("?VERSION;", for: "VERSION")
            #expect(reply?.hasPrefix("{") == true, "\(reply ?? "")")
            await receiver.send("4.07,T*03\r\n$GPH")
            #expect(await client.line() == "$GPHDT,274.07,T*03")

            var line = await client.ask("?VERSION;", for: "VERSION")
            while let reply = line, reply.hasPrefix("{") {
                clock.advance(by: .milliseconds(50))
                line = await client.ask("?VERSION;", for: "VERSION")
            }
            #expect(line?.hasPrefix("$GPH{") == true)
            await receiver.send("DT,274.07,T*03\r\n")
            #expect(await client.line() == "DT,274.07,T*03")
        }
    }

    /// Waits for the page, which follows a receiver independently of gpsd's protocol.
    private static func waitForState(_ state: String, _ server: ReceiverServer) async throws {
        while try await !get("/api/receivers", server).contains("\"state\":\"\(state)\"") {
            await Task.yield()
        }
    }

    private static func get(_ path: String, _ server: ReceiverServer) async throws -> String {
        try await server.get(path).joined(separator: "\n")
    }
}

/// The exercise of dates and numbers, with mutated inputs.
@Suite(.timeLimit(.generous))
struct ValueExerciseTests {
    @Test func `no date, number or file makes an output trap`() throws {
        let count = Mutations.count(500)
        print("values: \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(of: Self.seeds, dictionary: "nmea.dict")
        for number in 0..<count {
            let input = inputs.next()
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try ValueExercise.run(input)
            }
        }
    }

    /// Two bytes without options, and the third for a file.
    private static let seeds =
        files.map { [0, 3, 1] + Array($0.utf8) } + [
            (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        ]

    private static let files = [
        """
        $GNRMC,120000.00,A,4812.49,N,01622.43,E,1.0,90.0,210326,,,A*57
        $GNGGA,120000.00,4812.49,N,01622.43,E,1,08,0.9,170.0,M,43.0,M,,*73
        $GNZDA,120000.00,21,03,2026,00,00*79

        """,
        """
        <gpx version="1.1"><trk><trkseg><trkpt lat="48.1" lon="16.3"><ele>170</ele>\
        <time>2026-03-21T12:00:00Z</time><sat>8</sat><hdop>0.9</hdop></trkpt></trkseg></trk></gpx>
        """,
        """
        <kml><Placemark><gx:Track><when>2026-03-21T12:00:00Z</when><gx:coord>16.3 48.1 170</gx:coord>\
        </gx:Track></Placemark></kml>
        """,
        """
        <TrainingCenterDatabase><Activities><Activity><Id>2026-03-21T12:00:00Z</Id><Lap>\
        <TotalTimeSeconds>9</TotalTimeSeconds><Track><Trackpoint><Time>2026-03-21T12:00:00Z</Time>\
        <Position><LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>16</LongitudeDegrees></Position>\
        <AltitudeMeters>170</AltitudeMeters></Trackpoint></Track></Lap></Activity></Activities>\
        </TrainingCenterDatabase>
        """,
        """
        AXXX001
        HFDTE210326
        I013638FXA
        B1200004812490N01622430EA0017000170005
        B1200014812490N01622430EA0017000170005

        """,
        """
        time,lat,lon,altitude,speed,satellites
        2026-03-21T12:00:00Z,48.1,16.3,170,1.5,8
        1774094400,48.1,16.3,170,1.5,8

        """,
        #"""
        {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-03-21T12:00:00Z","lat":48.1,"lon":16.3,\#
        "altHAE":213.0,"eph":3.1,"speed":1.5,"track":90.0,"leapseconds":18}
        {"class":"SKY","device":"/dev/a","satellites":[{"PRN":5,"el":60.0,"az":120.0,"ss":40.0}]}

        """#,
        #"""
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"time":\#
        "2026-03-21T12:00:00Z","speed":1.5},"geometry":{"type":"Point","coordinates":[16.3,48.1,170]}}]}
        """#,
    ]
}
