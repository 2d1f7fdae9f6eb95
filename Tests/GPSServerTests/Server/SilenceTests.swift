// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Testing

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
