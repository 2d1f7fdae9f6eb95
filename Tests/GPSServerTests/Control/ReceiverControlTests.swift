// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Testing

/// Clients that change a receiver with the server's permission.
@Suite(.timeLimit(.generous))
struct ReceiverControlTests {
    @Test func `a receiver's rate is changed, and the receiver is read at the new rate`()
        async throws
    {
        let receiver = try RatedReceiver(9600)
        try await Self.serve(receiver) { client, path in
            client.send(#"?DEVICE={"path":"\#(path)","bps":38400,"parity":"N","stopbits":1};"#)
            let reply = await client.line(with: #"{"class":"DEVICE","path":"\#(path)""#)
            #expect(reply?.contains(#""bps":38400"#) == true, "\(reply ?? "")")
            #expect(receiver.hostRate == 38_400)
            #expect(receiver.receivedCommands == "$PMTK251,38400*27\r\n")
            // Reading continues at the new rate.
            #expect(await client.ask("?WATCH={\"nmea\":true}", for: "$GNRMC") != nil)
        }
    }

    @Test func `a receiver that ignores a rate change is read at its former rate`() async throws {
        let receiver = try RatedReceiver(9600)
        try await Self.serve(receiver, isDeaf: true) { client, path in
            client.send(#"?DEVICE={"path":"\#(path)","bps":4800};"#)
            let error = await client.line(with: "ERROR")
            #expect(error?.contains("it sends at 9600 bps") == true, "\(error ?? "")")
            #expect(await client.line(with: "DEVICE")?.contains(#""bps":9600"#) == true)
        }
    }

    @Test func `bytes from a client are written to the receiver and acknowledged`() async throws {
        let receiver = try RatedReceiver(9600)
        try await Self.serve(receiver) { client, path in
            client.send(#"?DEVICE={"path":"\#(path)","hexdata":"2450414952"};"#)
            #expect(await client.line(with: "ACK") == #"{"class":"ACK"}"#)
            #expect(await client.line(with: "DEVICE") != nil)
            while receiver.receivedCommands != "$PAIR" { await Task.yield() }
        }
    }

    @Test func `nothing is written to a receiver unless the server allows it`() async throws {
        let receiver = try RatedReceiver(9600)
        try await Self.serve(receiver, allowsControl: false) { client, path in
            client.send(#"?DEVICE={"path":"\#(path)","bps":4800,"hexdata":"2450"};"#)
            #expect(await client.line(with: "ERROR") != nil)
            #expect(await client.line(with: "DEVICE")?.contains(#""bps":4800"#) == false)
            #expect(receiver.receivedCommands.isEmpty && receiver.hostBytes.isEmpty)
        }
    }

    @Test func `each manufacturer has its own commands`() {
        func text(_ bytes: [UInt8]?) -> String? {
            bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        let rate = BaudRate(rawValue: 115_200) ?? .default
        #expect(
            text(ReceiverMaker.ublox.command(for: rate)) == "$PUBX,41,1,0007,0003,115200,0*18\r\n")
        #expect(text(ReceiverMaker.mediaTek.command(for: rate)) == "$PMTK251,115200*1F\r\n")
        #expect(text(ReceiverMaker.airoha.command(for: rate)) == "$PAIR864,0,0,115200*1B\r\n")
        #expect(text(ReceiverMaker.zhongke.command(for: rate)) == "$PCAS01,5*19\r\n")
        #expect(text(ReceiverMaker.sirf.command(for: .default)) == "$PSRF100,1,9600,8,1,0*0D\r\n")
        #expect(
            ReceiverMaker.ublox.command(forPeriod: 200) == [
                0xB5, 0x62, 6, 8, 6, 0, 0xC8, 0, 1, 0, 1, 0, 0xDE, 0x6A,
            ])
        #expect(text(ReceiverMaker.mediaTek.command(forPeriod: 100)) == "$PMTK220,100*2F\r\n")
        #expect(text(ReceiverMaker.zhongke.command(forPeriod: 200)) == "$PCAS02,200*1D\r\n")
        #expect(text(ReceiverMaker.airoha.command(forPeriod: 100)) == "$PAIR050,100*22\r\n")
        #expect(ReceiverMaker.sirf.command(forPeriod: 200) == nil)
    }

    /// Serves a sending MediaTek receiver while a client uses it.
    private static func serve(
        _ receiver: RatedReceiver, allowsControl: Bool = true, isDeaf: Bool = false,
        _ body: (_ client: TestClient, _ path: String) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.gpsd = [.host("127.0.0.1", port: 0)]
        configuration.allowsControl = allowsControl
        let server = try ReceiverServer(
            sources: [SerialSource(receiver.path)], configuration: configuration)
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            // On the polling thread, because the others may be busy with other tests.
            let talk = Task(executorPreference: Poller.shared) {
                await receiver.talk(isDeaf: isDeaf)
            }
            defer { receiver.stop() }
            #expect(await client.ask("?WATCH={\"nmea\":true}", for: "$GNGGA") != nil)
            // Repeated until it has arrived: bytes may be dropped while the tty is opened and its rate is set.
            var line = ""
            repeat {
                await receiver.send(Array("$PMTK010,002*2D\r\n".utf8))
                line = try #require(await client.line())
            } while !line.hasPrefix("$PMTK010")
            #expect(await client.ask("?WATCH={\"enable\":false}", for: "WATCH") != nil)
            try await body(client, receiver.path)
            receiver.stop()
            await talk.value
        }
    }
}
