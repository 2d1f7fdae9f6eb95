// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Testing
import UBX

/// Clients of a server that reads receivers on ttys.
@Suite(.timeLimit(.generous))
struct ReceiverServerTests {
    private static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"

    @Test func `a client that watches gets every fix of a receiver`() async throws {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver]) { server, _ in
            let client = try TestClient(port: server.port ?? 0)
            #expect(await client.line()?.hasPrefix(#"{"class":"VERSION""#) == true)
            await receiver.waitForReader()
            client.send(Self.watch)
            #expect(await client.line()?.hasPrefix(#"{"class":"DEVICES""#) == true)
            #expect(await client.line()?.hasPrefix(#"{"class":"WATCH","enable":true"#) == true)
            for second in 0..<5 { await receiver.sendEpoch(second) }
            let device = await client.line(with: #""driver":"NMEA0183""#)
            #expect(device?.hasPrefix(#"{"class":"DEVICE","path":"\#(receiver.path)""#) == true)
            for second in 0..<3 {
                let report = await client.line(with: #""class":"TPV""#)
                #expect(report?.contains("12:00:0\(second).000Z") == true)
                #expect(report?.contains(#""lat":48.200000000,"lon":16.360"#) == true)
            }
            #expect(await client.ask("?POLL;\n", for: "POLL")?.contains(#""tpv":[{"#) == true)
            #expect(await client.ask("?WATCH={\"enable\":false}", for: "WATCH") != nil)
        }
    }

    @Test func `a client that asks for scaled numbers also gets subframes of satellites`()
        async throws
    {
        // The health of satellites 1 to 24, as it was recorded.
        var subframe = RxmSFRBX()
        subframe.svid = 26
        let words: [UInt32] = [
            0x22C0_FB13, 0x280A_0D23, 0x1CC3_FF2A, 0xBF00_0008, 0, 0, 0, 0, 0, 0,
        ]
        subframe.words = words.map {
            var word = RxmSFRBX.Word()
            word.bits = $0
            return word
        }
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver]) { server, _ in
            let client = try TestClient(port: server.port ?? 0)
            let other = try TestClient(port: server.port ?? 0)
            let scaled = "?WATCH={\"enable\":true,\"json\":true,\"scaled\":true};\n"
            #expect(await client.ask(scaled, for: "WATCH") != nil)
            #expect(await other.ask(Self.watch, for: "WATCH") != nil)
            await receiver.waitForReader()
            await receiver.send(subframe.frame)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            let report = await client.line(with: #""class":"SUBFRAME""#)
            #expect(report?.contains(#""tSV":26,"frame":5,"#) == true)
            while let line = await other.line(), !line.contains(#""class":"TPV""#) {
                #expect(!line.contains("SUBFRAME"))
            }
        }
    }

    @Test func `DEVICE of a receiver with only AIS messages has gpsd's driver and flags`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask(Self.watch, for: "WATCH") != nil)
            for _ in 0..<5 {
                await receiver.send("!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n")
            }
            let device = await client.line(with: #""driver":"AIVDM""#)
            #expect(device?.contains(#""flags":8,"#) == true)
            #expect(await client.line(with: #""class":"AIS""#) != nil)
            #expect(await client.ask("?DEVICES;", for: "DEVICES")?.contains("AIVDM") == true)
        }
    }

    @Test func `raw bytes are left out during an alarm if positions are dropped`() async throws {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], setUp: { $0.alarmPolicy = .drop }) {
            (server, _) in
            let (client, raw) = (
                try TestClient(port: server.port ?? 0), try TestClient(port: server.port ?? 0)
            )
            #expect(await client.ask(Self.watch, for: "WATCH") != nil)
            #expect(await raw.ask("?WATCH={\"raw\":2};", for: "WATCH") != nil)
            await receiver.waitForReader()
            for second in 600..<610 { await receiver.sendEpoch(second) }
            // The receiver's time decreases.
            for second in 0..<10 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: #""integrity":"alarm""#) != nil)
            for second in 20..<23 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "12:00:21.000Z") != nil)
            raw.send("?VERSION;")
            var lines: [String] = []
            while let line = await raw.line(), !line.contains("VERSION") { lines.append(line) }
            #expect(lines.contains { $0.contains(",121005.") })
            #expect(!lines.contains { $0.contains(",120021.") })
        }
    }

    @Test func `a client gets everything that is received after the reply to its request`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        // Between its steps, the clients' thread has other work.
        let load = Task(executorPreference: Poller.clients) {
            while !Task.isCancelled {
                let end = MonotonicInstant.now + .milliseconds(1)
                while MonotonicInstant.now < end {}
                await Task.yield()
            }
        }
        defer { load.cancel() }
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            for second in stride(from: 0, to: 40, by: 2) {
                #expect(await client.ask("?WATCH={\"nmea\":true}", for: "WATCH") != nil)
                await receiver.sendEpoch(second)
                await receiver.sendEpoch(second + 1)
                let (first, next) = (",\(second + 120_000).", ",\(second + 120_001).")
                // Sentences of earlier epochs may have been waiting to be sent.
                var line = await client.line()
                while let old = line, !old.contains(first), !old.contains(next) {
                    line = await client.line()
                }
                #expect(line?.contains(first) == true)
                #expect(await client.ask("?WATCH={\"enable\":false}", for: "WATCH") != nil)
            }
        }
    }

    // Undelayed, because all servers of the process have this thread in common.
    @Test(.undelayed) func `an epoch is reported while the client thread is busy`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask(Self.watch, for: "WATCH") != nil)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "12:00:01.000Z") != nil)
            let (gate, begun) = (Gate(), Witness<Void>())
            defer { gate.open() }
            let work = Task(executorPreference: Poller.clients) {
                begun.note(())
                gate.pass()
            }
            _ = await begun.first(1)
            for second in 3..<6 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "12:00:04.000Z") != nil)
            gate.open()
            await work.value
        }
    }

    @Test func `a client of a server without a receiver gets reports once there is one`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("gps")
        try await Self.serve([SerialSource(path, baudRate: .default)]) { server in
            let client = try TestClient(port: server.port ?? 0)
            let devices = await client.ask(Self.watch, for: "DEVICES")
            let device = #"{"class":"DEVICE","path":"\#(path)"}"#
            #expect(devices == #"{"class":"DEVICES","devices":[\#(device)]}"#)
            #expect(await client.line(with: "WATCH") != nil)
            var receiver = try ScriptedReceiver(link: path)
            #expect(await client.line()?.contains(#""activated":"2"#) == true)
            for second in 0..<4 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: #""mode":3"#) != nil)
            receiver.unplug()
            #expect(await client.line(with: #""mode":1"#) != nil, "an old fix is not valid")
            #expect(await client.line(with: #""activated":0"#) != nil)
            receiver = try ScriptedReceiver(link: path)
            #expect(await client.line(with: #""activated":"2"#) != nil)
            for second in 10..<14 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: #""mode":3"#) != nil)
        }
    }

    @Test func `libgps does not read the position of the anchor as that of a lost receiver`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(
            radius: 30, anchor: Coordinate(latitude: 48, longitude: 16))
        try await ReceiverServer.serve([receiver], setUp: { $0.navigation = settings }) {
            (server, _) in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask(Self.watch, for: "WATCH") != nil)
            for second in 0..<4 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: #""mode":3"#) != nil)
            receiver.unplug()
            let loss = await client.line(with: #""mode":1"#) ?? ""
            #expect(loss.contains(#","anchor":"lost","anchorSince":""#), "\(loss)")
        }
    }

    @Test func `clients get the name of a recording without its folder`() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<600).flatMap { ScriptedReceiver.epoch($0) }
        let paths = [try folder.file("walk.nmea", bytes), try folder.file("drive.nmea", bytes)]
        try await Self.serve(try paths.map { try DeviceSources.at($0) }) { server in
            let client = try TestClient(port: server.port ?? 0)
            client.send(Self.watch)
            for name in ["walk.nmea", "drive.nmea"] {
                let report = await client.line(with: "\"device\":\"\(name)\"")
                #expect(report?.contains(folder.path) == false)
            }
        }
    }

    @Test func `sentences and bytes are sent as received`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try TestClient(port: server.port ?? 0)
            let raw = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"nmea\":true}", for: "WATCH") != nil)
            #expect(await raw.ask("?WATCH={\"raw\":2}", for: "WATCH") != nil)
            await receiver.send("noise\r\n")
            await receiver.sendEpoch(7)
            let bytes = ScriptedReceiver.epoch(7)
            let sentences = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            for sentence in sentences { #expect(await client.line() == String(sentence)) }
            #expect(await raw.line() == "noise")
            for sentence in sentences { #expect(await raw.line() == String(sentence)) }
        }
    }

    @Test func `a receiver that reports its attitude gives ATT objects`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask(Self.watch, for: "WATCH") != nil)
            for second in 0..<5 {
                await receiver.send("$GPHDT,274.07,T*03\r\n")
                await receiver.sendEpoch(second)
            }
            let report = await client.line(with: "ATT")
            #expect(report?.hasPrefix(#"{"class":"ATT","device":"\#(receiver.path)""#) == true)
            #expect(report?.contains(#""heading":274.070"#) == true)
        }
    }

    @Test func `a client with timing gets the times at which a fix arrived and was reported`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver]) { server, _ in
            let client = try TestClient(port: server.port ?? 0)
            let plain = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            let request = "?WATCH={\"json\":true,\"timing\":true}"
            #expect(await client.ask(request, for: "WATCH")?.contains(#""timing":true"#) == true)
            #expect(await plain.ask(Self.watch, for: "WATCH") != nil)
            for second in 0..<4 { await receiver.sendEpoch(second) }
            let report = await client.line(with: "TPV")
            #expect(report?.contains(#","rtime":1"#) == true)
            #expect(report?.contains(#","sor":1"#) == true)
            // As required by gpsprof.
            #expect(report?.contains(#","chars":"#) == true)
            #expect(report?.contains(#","week":2410,"tow":5616"#) == true, "\(report ?? "")")
            #expect(await plain.line(with: "TPV")?.contains("rtime") == false)
        }
    }

    @Test func `only the requested device is reported`() async throws {
        let receivers = [try ScriptedReceiver(), try ScriptedReceiver()]
        let sources = receivers.map { SerialSource($0.path, baudRate: .default) }
        try await Self.serve(sources) { server in
            let client = try TestClient(port: server.port ?? 0)
            for receiver in receivers { await receiver.waitForReader() }
            let request = "?WATCH={\"nmea\":true,\"device\":\"\(receivers[1].path)\"}"
            #expect(await client.ask(request, for: "WATCH") != nil)
            await receivers[0].sendEpoch(1)
            await receivers[1].sendEpoch(2)
            #expect(await client.line()?.contains(",120002.") == true)
        }
    }

    @Test func `a client that never reads loses reports and delays no other client`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let stalled = try TestClient(port: server.port ?? 0)
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            stalled.send("?WATCH={\"nmea\":true,\"raw\":2}")
            #expect(await client.ask("?WATCH={\"nmea\":true}", for: "WATCH") != nil)
            for second in 0..<200 {
                await receiver.sendEpoch(second)
                #expect(await client.line(with: "RMC") != nil)
                #expect(await client.line(with: "GGA") != nil)
            }
            #expect(await stalled.line() != nil)
        }
    }

    @Test func `clients beyond the limit are rejected with a reason`() async throws {
        var configuration = ServerConfiguration.local
        configuration.maximumClientCount = 1
        try await Self.serve([], configuration) { server in
            let first = try TestClient(port: server.port ?? 0)
            #expect(await first.line() != nil)
            let second = try TestClient(port: server.port ?? 0)
            #expect(await second.line() == #"{"class":"ERROR","message":"Too many clients."}"#)
            #expect(await second.line() == nil)
        }
    }

    @Test func `an abandoned Unix socket is replaced, and removed at the end`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("gpsd.sock")
        var configuration = ServerConfiguration()
        configuration.gpsd = [.unix(path)]
        for _ in 0..<2 {
            try await Self.serve([], configuration) { _ in
                let client = try TestClient(path: path)
                #expect(await client.ask("?DEVICES;", for: "DEVICES") != nil)
            }
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test func `an address in use is an error`() async throws {
        try await Self.serve([]) { server in
            var configuration = ServerConfiguration()
            configuration.gpsd = [.host("127.0.0.1", port: server.port ?? 0)]
            let other = try ReceiverServer(sources: [], configuration: configuration)
            let error = await #expect(throws: ServerError.self) { try await other.listen() }
            let reason = "another program is already listening on this address"
            #expect(error?.description.contains(reason) == true)
            #expect(error?.description.contains("gpsd") == false, "that has another port")
        }
    }

    @Test(arguments: [
        "", ":2947", "80000", "-1", "+", "localhost:80000", "[]:1", "[::1", "::1]",
        "99999999999999999999", "+2948", "-0", "localhost:+80", "[::1]:+80", "localhost:",
    ])
    func `an empty address and an invalid port are rejected`(text: String) {
        #expect(ListenAddress(text, defaultPort: 2947) == nil)
    }

    /// A receiver that this user may not open.
    private struct ForbiddenSource: DeviceSource {
        let name: String
        func open() async throws(DeviceError) -> any DeviceConnection {
            throw DeviceError(.permissionDenied, device: name, errno: EACCES)
        }
    }

    @Test func `a server that became another user names --user, also for a vote`() async throws {
        let members = ["/dev/ttyA", "/dev/ttyB"].map { ForbiddenSource(name: $0) }
        let vote = ConsensusSource(members.map { ConsensusSource.Member($0) })
        let sources: [any DeviceSource] = [members[0], vote]
        for source in sources {
            var configuration = ServerConfiguration.local
            configuration.user = "nobody"
            let messages = Witness<String>()
            let server = try ReceiverServer(
                sources: [source], configuration: configuration, pool: ReceiverPool(),
                messages: MessageLog { text, _ in messages.note(text) })
            try await server.whileRunning { _ in
                await messages.wait { $0.contains("/dev/ttyA") }
            }
            let message = messages.all.first { $0.contains("/dev/ttyA") }
            #expect(message?.contains("now runs as user 'nobody'") == true, "\(messages.all)")
        }
    }

    @Test func `only an asterisk is every address of the host`() {
        #expect(ListenAddress("*", defaultPort: 2947) == .any(port: 2947))
        #expect(ListenAddress("*:1", defaultPort: 2947) == .any(port: 1))
        #expect(ListenAddress("65535", defaultPort: 2947) == .loopback(port: 65535))
    }

    /// Runs a server while `body` uses it.
    private static func serve(
        _ sources: [any DeviceSource], _ configuration: ServerConfiguration = .local,
        _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        let server = try ReceiverServer(sources: sources, configuration: configuration)
        try await server.whileRunning(body)
    }
}
