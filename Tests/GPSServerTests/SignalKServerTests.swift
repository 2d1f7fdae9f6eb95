// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

@testable import GPSServer

/// Signal K over TCP and WebSocket.
@Suite(.timeLimit(.generous))
struct SignalKServerTests {
    private static let upgrade = """
        GET /signalk/v1/stream?subscribe=all HTTP/1.1\r
        Host: localhost:8375\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r

        """

    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.signalK = [.loopback(port: 0)]
        return configuration
    }

    private static func serve(
        _ receiver: ScriptedReceiver, _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        let server = try ReceiverServer(
            sources: [SerialSource(receiver.path, baudRate: .default)],
            configuration: configuration)
        try await server.whileRunning { try await body($0) }
    }

    /// Waits until a client gets the receivers' messages. It gets the greeting before.
    private static func waitUntilSubscribed(_ server: ReceiverServer) async {
        await until { server.hub.wantsSignalK }
    }

    /// Connects and sends a request on the thread of the clients, so that the server gets both at
    /// the same time. A client that sends nothing for a second gets lines.
    private static func client(
        of server: ReceiverServer, sending request: String
    ) async throws -> TestClient {
        try await Task(executorPreference: Poller.clients) {
            let client = try TestClient(port: server.signalKPort ?? 0)
            client.send(request)
            return client
        }.value
    }

    @Test func `a client that sends nothing receives lines, and null when the receiver is lost`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], Self.configuration) { server, _ in
            let client = try TestClient(port: server.signalKPort ?? 0)
            let hello = await client.line()
            #expect(hello?.hasPrefix(#"{"name":"gpsbridge","version":"1.7.0","self":"#) == true)
            #expect(hello?.contains(#""roles":["master","main"],"timestamp":""#) == true)
            await Self.waitUntilSubscribed(server)
            await receiver.waitForReader()
            for second in 0..<5 { await receiver.sendEpoch(second) }
            let delta = await client.line(with: "navigation.position")
            #expect(delta?.contains(#""value":{"latitude":48.2,"longitude":16.36"#) == true)
            try await server.setSources([])
            let lost = await client.line(with: #""navigation.position","value":null"#)
            #expect(lost != nil)
        }
    }

    @Test func `a client that closes its sending side immediately receives lines`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            let client = try TestClient(port: server.signalKPort ?? 0)
            client.endSending()
            #expect(await client.line()?.hasPrefix(#"{"name":"gpsbridge""#) == true)
            await Self.waitUntilSubscribed(server)
            await receiver.waitForReader()
            for second in 0..<5 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "navigation.position") != nil)
        }
    }

    @Test func `a client that connects during an alarm receives it`() async throws {
        let receiver = try ScriptedReceiver()
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(
            radius: 30, anchor: Coordinate(latitude: 48.2, longitude: 16.36))
        // Without sentences for some seconds, the anchor watch would have an alarm earlier, and the
        // loss of the receiver would only be another cause.
        try await ReceiverServer.serve(
            [receiver], Self.configuration, setUp: { $0.navigation = settings }
        ) { server, _ in
            let first = try TestClient(port: server.signalKPort ?? 0)
            first.endSending()
            _ = await first.line()
            await Self.waitUntilSubscribed(server)
            await receiver.waitForReader()
            for second in 0..<5 { await receiver.sendEpoch(second) }
            #expect(await first.line(with: #""path":"navigation.position""#) != nil)
            receiver.unplug()
            #expect(await first.line(with: "notifications.navigation.anchor") != nil)
            #expect(await first.line(with: "notifications.navigation.position") != nil)
            let second = try TestClient(port: server.signalKPort ?? 0)
            second.endSending()
            let alarms = await second.line(with: "notifications") ?? ""
            let text = #""message":"anchor watch does not work: the receiver is gone""#
            #expect(alarms.contains(text), "\(alarms)")
            #expect(alarms.contains("notifications.navigation.position"), "\(alarms)")
            try await server.setSources([])
            let end = await second.line(with: "null") ?? ""
            for path in ["anchor", "position"] {
                let null = #"{"path":"notifications.navigation.\#(path)","value":null}"#
                #expect(end.contains(null), "\(end)")
            }
        }
    }

    @Test func `an update that is still being handled raises no alarm of a removed receiver`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            let client = try TestClient(port: server.signalKPort ?? 0)
            _ = await client.line()
            await Self.waitUntilSubscribed(server)
            await receiver.waitForReader()
            for second in 0..<5 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "navigation.position") != nil)
            let removed = try #require(server.receivers.first)
            try await server.setSources([])
            var fix = Fix()
            fix.mode = .twoD
            fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
            removed.publishAlarms { $0.alarms(of: fix, time: $1, now: .now) }
            removed.publishAlarms { $0.alarmsOfLoss(isExpected: false, time: $1) }
            #expect(server.hub.alarms.isEmpty)
        }
    }

    @Test func `an instrument before the first epoch of simulated data is not labelled as live`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], Self.configuration) { server, _ in
            let client = try TestClient(port: server.signalKPort ?? 0)
            _ = await client.line()
            await Self.waitUntilSubscribed(server)
            await receiver.waitForReader()
            // One write: the instrument's value is sent if no epoch follows for ten seconds.
            let epochs = (0..<5).map { ScriptedReceiver.epoch($0, quality: .simulated) }.joined()
            await receiver.send("$IIMTW,17.5,C*10\r\n" + String(decoding: epochs, as: UTF8.self))
            let first = await client.line()
            #expect(first?.contains(#""$source":"gpsbridge.simulated."#) == true, "\(first ?? "")")
        }
    }

    @Test func `a browser's request begins a WebSocket`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            let client = try await Self.client(of: server, sending: Self.upgrade + "\r\n")
            #expect(await client.line()?.hasPrefix("HTTP/1.1 101 ") == true)
            // The example of RFC 6455.
            let accept = await client.line(with: "Sec-WebSocket-Accept")
            #expect(accept?.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == true)
        }
    }

    @Test(arguments: [
        ("Host: localhost", "Host: evil.example", "HTTP/1.1 421"),
        ("Upgrade: websocket", "Origin: https://evil.example", "HTTP/1.1 403"),
        ("Upgrade: websocket", "X: y", "HTTP/1.1 426"),
        ("/signalk/v1/stream", "/", "HTTP/1.1 404"),
        ("/signalk/v1/stream", "/signalk", "HTTP/1.1 200"),
        ("Host: localhost:8375", "Host", "HTTP/1.1 400"),
        ("localhost:8375", "localhost:8375@evil.example", "HTTP/1.1 421"),
        ("localhost:8375", "localhost:x", "HTTP/1.1 421"),
        ("localhost:8375", "[::1", "HTTP/1.1 421"),
        ("Upgrade: websocket", "Upgrade: websocket\r\nX: \u{FF}", "HTTP/1.1 101"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhl", "HTTP/1.1 400"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "!GhlIHNhbXBsZSBub25jZQ==", "HTTP/1.1 400"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZB==", "HTTP/1.1 400"),
        ("Upgrade: websocket", "Content-Length: 1", "HTTP/1.1 400"),
        ("Upgrade: websocket", "Transfer-Encoding: chunked", "HTTP/1.1 400"),
        (
            "Upgrade: websocket", "Upgrade: websocket\r\nContent-Length: 0\r\nContent-Length: 0",
            "HTTP/1.1 400"
        ),
        (
            "Upgrade: websocket", "Upgrade: websocket\r\nSec-WebSocket-Version: 13",
            "HTTP/1.1 400"
        ),
        ("Host: localhost", "Host: localhost\r\nHost: localhost", "HTTP/1.1 400"),
        ("GET ", "POST ", "HTTP/1.1 405"), ("GET ", "OPTIONS ", "HTTP/1.1 405"),
        ("GET ", "HEAD ", "HTTP/1.1 426"), ("HTTP/1.1", "HTTP/1.0", "HTTP/1.1 426"),
        ("HTTP/1.1", "HTTP/2", "HTTP/1.1 400"),
        ("Upgrade: websocket", "Upgrade: h2c, WebSocket", "HTTP/1.1 101"),
    ])
    func `other requests are refused`(
        _ part: String, _ replacement: String, _ answer: String
    ) async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            let request = Self.upgrade.replacing(part, with: replacement) + "\r\n"
            let client = try await Self.client(of: server, sending: request)
            #expect(await client.line()?.hasPrefix(answer) == true)
        }
    }

    @Test(arguments: [("GET", "HTTP/1.0"), ("HEAD", "HTTP/1.1")])
    func `the addresses are also sent to old clients, and HEAD has no content`(
        _ method: String, _ version: String
    ) async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            let request = "\(method) /signalk \(version)\r\nHost: localhost\r\n\r\n"
            let client = try await Self.client(of: server, sending: request)
            var lines: [String] = []
            while let line = await client.line() { lines.append(line) }
            #expect(lines.first == "HTTP/1.1 200 OK")
            #expect(lines.contains { $0.hasPrefix("Content-Length: 1") })
            #expect(lines.contains { $0.contains("endpoints") } == (method == "GET"))
        }
    }

    @Test func `a ping is answered unless it is a fragment`() {
        func action(_ bytes: [UInt8]) -> WebSocketReader.Action? {
            var reader = WebSocketReader()
            reader.push(bytes)
            return reader.next()
        }
        #expect(action([0x89, 0x81, 1, 2, 3, 4, 0x60]) == .pong([0x61]))
        #expect(action([0x09, 0x81, 1, 2, 3, 4, 0x60]) == .close(1002))
        #expect(action([0x01, 0x81, 1, 2, 3, 4, 0x60]) == .ignore)
        #expect(action([0x81, 0x01, 0x60]) == .close(1002), "without a mask")
    }

    /// Returns the action after the last of some unmasked frames.
    private static func lastAction(_ frames: [(first: UInt8, payload: [UInt8])]) -> WebSocketReader
        .Action?
    {
        var reader = WebSocketReader()
        var action: WebSocketReader.Action?
        for frame in frames {
            reader.push([frame.first, 0x80 | UInt8(frame.payload.count), 0, 0, 0, 0])
            reader.push(frame.payload)
            action = reader.next()
        }
        return action
    }

    @Test func `a client that sends text in an encoding other than UTF-8 is disconnected`() {
        #expect(Self.lastAction([(0x81, [0xFF, 0xFE])]) == .close(1007))
        #expect(Self.lastAction([(0x81, [0xC3])]) == .close(1007))
        #expect(Self.lastAction([(0x81, Array("é".utf8))]) == .ignore)
        #expect(Self.lastAction([(0x82, [0xFF, 0xFE])]) == .ignore, "binary")
        // A character may be divided between fragments.
        let bytes = Array("€".utf8)
        let parts: [(first: UInt8, payload: [UInt8])] = [(0x01, [bytes[0]]), (0x00, [bytes[1]])]
        #expect(Self.lastAction(parts + [(0x80, [bytes[2]])]) == .ignore)
        #expect(Self.lastAction(parts + [(0x80, [0x20])]) == .close(1007))
        #expect(Self.lastAction([(0x01, [0x61]), (0x00, [0xFF])]) == .close(1007))
    }

    @Test func `fragments without a beginning and invalid close frames are errors`() {
        #expect(Self.lastAction([(0x80, [0x61])]) == .close(1002))
        #expect(Self.lastAction([(0x01, [0x61]), (0x81, [0x61])]) == .close(1002))
        #expect(Self.lastAction([(0x88, [])]) == .close(1000))
        #expect(Self.lastAction([(0x88, [0x03, 0xE8, 0x61])]) == .close(1000))
        #expect(Self.lastAction([(0x88, [0x03])]) == .close(1002))
        #expect(Self.lastAction([(0x88, [0, 0])]) == .close(1002))
        #expect(Self.lastAction([(0x88, [0x03, 0xE8, 0xFF])]) == .close(1007))
    }

    @Test(arguments: [("Upgrade: websocket", "X: y"), ("Version: 13", "Version: 8")])
    func `the response to a request without a WebSocket names the upgrade`(
        _ part: String, _ replacement: String
    ) async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            let request = Self.upgrade.replacing(part, with: replacement) + "\r\n"
            let client = try await Self.client(of: server, sending: request)
            var lines: [String] = []
            while let line = await client.line() { lines.append(line) }
            #expect(lines.first?.hasPrefix("HTTP/1.1 426") == true)
            for header in [
                "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Connection: Upgrade, close",
            ] { #expect(lines.contains(header), "\(header)") }
        }
    }

    @Test func `a receiver whose baud rate changes is opened again at the new one`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver) { server in
            await receiver.waitForReader()
            let rate = BaudRate(rawValue: 57_600)
            try await server.setSources([SerialSource(receiver.path, baudRate: rate)])
            await receiver.waitForReader()
            #expect(receiver.hostRate == 57_600)
        }
    }

    @Test func `sources are replaced while others go on`() async throws {
        let (first, second) = (try ScriptedReceiver(), try ScriptedReceiver())
        try await Self.serve(first) { server in
            let client = try TestClient(port: server.signalKPort ?? 0)
            _ = await client.line()
            await Self.waitUntilSubscribed(server)
            await first.waitForReader()
            let kept = SerialSource(first.path, baudRate: .default)
            try await server.setSources([SerialSource(second.path, baudRate: .default), kept])
            await second.waitForReader()
            for second in 0..<5 { await first.sendEpoch(second) }
            #expect(await client.line(with: "navigation.position") != nil)
            for epoch in 0..<5 { await second.sendEpoch(epoch) }
            let name = second.path.split(separator: "/").joined(separator: "-")
            #expect(await client.line(with: "\"gpsbridge.\(name)\"") != nil)
        }
    }
}
