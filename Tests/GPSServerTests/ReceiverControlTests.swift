// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// Clients that change a receiver with the server's permission.
@Suite(.timeLimit(.generous))
struct ReceiverControlTests {
    @Test func `a receiver's rate is changed, and the receiver is read at the new rate`()
        async throws
    {
        try await Self.serve(.ublox8, baudRate: 9600) { client, path in
            let settings = #""bps":38400,"parity":"N","stopbits":1"#
            let reply = await Self.device(path, with: #""bps":38400"#, after: settings, client)
            #expect(reply?.contains(#""bps":38400"#) == true, "\(reply ?? "")")
            // Reading continues at the new rate.
            #expect(await client.ask("?WATCH={\"nmea\":true}", for: "RMC") != nil)
        }
    }

    @Test func `a receiver's cycle is changed, and measured`() async throws {
        try await Self.serve(.ublox10, baudRate: 115_200) { client, path in
            let settings = #""cycle":0.2"#
            let reply = await Self.device(path, with: #""cycle":0.20"#, after: settings, client)
            #expect(reply?.contains(#""cycle":0.20"#) == true, "\(reply ?? "")")
        }
    }

    /// Changes settings, and returns the receiver's `DEVICE`. On a busy machine the receiver may answer too late, and
    /// the server undoes the change: the client asks again.
    private static func device(
        _ path: String, with text: String, after settings: String, _ client: TestClient
    ) async -> String? {
        let request = #"?DEVICE={"path":"\#(path)",\#(settings)};"#
        let line = #"{"class":"DEVICE","path":"\#(path)""#
        return await reply(to: request, line, with: text, client).line
    }

    /// Sends a request up to five times, until the line that replies to it contains a text. Returns
    /// the last such line, and the number of requests.
    private static func reply(
        to request: String, _ line: String, with text: String, _ client: TestClient
    ) async -> (line: String?, attempts: Int) {
        var (reply, attempts): (String?, Int) = (nil, 0)
        while attempts < 5, reply?.contains(text) != true {
            client.send(request)
            reply = await client.line(with: line)
            attempts += 1
        }
        return (reply, attempts)
    }

    @Test func `a receiver that answers no question gets SiRF's command for the rate`()
        async throws
    {
        let receiver = try RatedReceiver(9600)
        try await Self.serve(receiver) { client, path in
            let reply = await Self.device(
                path, with: #""bps":38400"#, after: #""bps":38400"#, client)
            #expect(reply?.contains(#""bps":38400"#) == true, "\(reply ?? "")")
            #expect(receiver.hostRate == 38_400)
            #expect(receiver.receivedCommands.contains("$PSRF100,1,38400,8,1,0*"))
        }
    }

    @Test func `a receiver that ignores a rate change is read at its previous rate`() async throws {
        let receiver = try RatedReceiver(9600)
        try await Self.serve(receiver, ignoresCommands: true) { client, path in
            // On a busy machine, the receiver may be silent before, which is another error.
            let (text, request) = (
                "does not answer at 4800 baud", #"?DEVICE={"path":"\#(path)","bps":4800};"#
            )
            let error = await Self.reply(to: request, "ERROR", with: text, client).line
            #expect(error?.contains(text) == true, "\(error ?? "")")
            #expect(await client.line(with: "DEVICE")?.contains(#""bps":9600"#) == true)
        }
    }

    @Test func `every client gets each epoch while the rate is changed to ten per second`()
        async throws
    {
        // At 230,400 baud, the sentences of a sky with many satellites in two bands do not fit.
        try await Self.serve(.f9p, baudRate: 460_800) { client, path in
            var clients: [TestClient] = []
            for _ in 0..<10 {
                let other = try TestClient(port: try #require(client.port))
                #expect(await other.ask(Self.watch, for: "RMC") != nil)
                clients.append(other)
            }
            // On a busy machine, messages may come too late, and the change is undone.
            let request = #"?CONFIGURE={"path":"\#(path)","settings":"rate = 10"};"#
            let (result, attempts) = await Self.reply(
                to: request, #""ok":"#, with: #""ok":true"#, client)
            #expect(result?.contains(#""ok":true"#) == true, "\(result ?? "")")
            #expect(result?.contains(#"rate = 10"#) == true)
            // Side by side: the server drops reports for a client that does not read.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients {
                    group.addTask {
                        var steps: [Double] = []
                        var last = try #require(await Self.time(from: client))
                        while steps.suffix(20) != Array(repeating: 0.1, count: 20)[...] {
                            let time = try #require(await Self.time(from: client))
                            steps.append(((time - last) * 1000).rounded() / 1000)
                            last = time
                        }
                        // Each second, then each tenth of a second. The restart may take an epoch, as may
                        // the restart when a change is undone.
                        #expect(steps.allSatisfy { 0.1...1.1 ~= $0 }, "\(steps)")
                        let others = steps.count { $0 != 1 && $0 != 0.1 }
                        #expect(others <= 2 * attempts - 1, "\(steps)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `the settings of a receiver are read, and its progress is reported`() async throws {
        try await Self.serve(.ublox8, baudRate: 115_200) { client, _ in
            var lines: [String] = []
            // On a busy machine, the receiver may answer too late.
            for _ in 0..<5 where lines.last?.contains(#""ok":true"#) != true {
                lines = []
                client.send("?CONFIGURE={};")
                while let line = await client.line() {
                    lines.append(line)
                    if line.contains(#""ok":"#) || line.contains("ERROR") { break }
                }
            }
            let progress = lines.first { $0.contains(#""progress":"#) }
            #expect(progress?.contains("found u-blox M8") == true, "\(progress ?? "")")
            let result = lines.last
            #expect(result?.contains(#""ok":true"#) == true, "\(result ?? "")")
            #expect(result?.contains("constellations") == true, "\(result ?? "")")
            client.send(#"?CONFIGURE={"settings":"rate = 2\nspeed = 3"};"#)
            let error = await client.line(with: "ERROR")
            #expect(error?.contains("line 2") == true, "\(error ?? "")")
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
            client.send(#"?CONFIGURE={"path":"\#(path)"};"#)
            #expect(await client.line(with: "ERROR")?.contains("--allow-control") == true)
            #expect(receiver.receivedCommands.isEmpty && receiver.hostBytes.isEmpty)
        }
    }

    private static let watch = "?WATCH={\"nmea\":true};"

    /// The time of the next RMC in seconds.
    private static func time(from client: TestClient) async -> Double? {
        let fields = await client.line(with: "RMC")?.split(separator: ",")
        return fields.flatMap { $0.count > 1 ? Double($0[1]) : nil }.map {
            let minutes = ($0 / 100).rounded(.down)
            let hours = (minutes / 100).rounded(.down)
            return hours * 3600 + (minutes - hours * 100) * 60 + $0 - minutes * 100
        }
    }

    private static func configuration(
        _ folder: TemporaryFolder, allowsControl: Bool = true
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration.local
        configuration.allowsControl = allowsControl
        configuration.journals = JournalFolder(path: folder.path("state"))
        return configuration
    }

    /// Serves a simulated chip while a client uses it.
    private static func serve(
        _ personality: Personality, baudRate: Int,
        _ body: (_ client: TestClient, _ path: String) async throws -> Void
    ) async throws {
        var simulated = SimulatedReceiver.Configuration()
        simulated.personality = personality
        simulated.baudRate = BaudRate(rawValue: baudRate)
        let folder = try TemporaryFolder()
        let terminal = try SimulatedTerminal(simulated, link: folder.path("gps"))
        let path = try #require(terminal.path)
        let simulation = Simulation(simulated, outputs: [terminal])
        // On the polling thread, like the client, because the others may be busy with other tests:
        // the chip answers in time, and the client reads before reports are dropped.
        let run = Task(executorPreference: Poller.shared) { try await simulation.run() }
        defer { run.cancel() }
        let source = SerialSource(path, baudRate: simulated.baudRate)
        let server = try ReceiverServer(sources: [source], configuration: configuration(folder))
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            #expect(await client.ask(watch, for: "RMC") != nil)
            #expect(await client.ask("?WATCH={\"enable\":false}", for: "WATCH") != nil)
            try await withTaskExecutorPreference(Poller.shared) { try await body(client, path) }
        }
    }

    /// Serves a sending receiver that answers nothing while a client uses it.
    private static func serve(
        _ receiver: RatedReceiver, allowsControl: Bool = true, ignoresCommands: Bool = false,
        _ body: (_ client: TestClient, _ path: String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let server = try ReceiverServer(
            sources: [SerialSource(receiver.path)],
            configuration: configuration(folder, allowsControl: allowsControl))
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            // On the polling thread, because the others may be busy with other tests.
            let sending = Task(executorPreference: Poller.shared) {
                await receiver.sendEpochs(ignoresCommands: ignoresCommands)
            }
            defer { receiver.stop() }
            #expect(await client.ask(watch, for: "$GNGGA") != nil)
            #expect(await client.ask("?WATCH={\"enable\":false}", for: "WATCH") != nil)
            try await body(client, receiver.path)
            receiver.stop()
            await sending.value
        }
    }
}

@testable import GPSServer

/// Programs that add and remove receivers with gpsd's control protocol.
@Suite(.timeLimit(.generous))
struct ControlSocketTests {
    @Test func `a receiver is added, listed and removed while clients stay connected`() async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve { server, control in
            let client = try TestClient(port: server.port ?? 0)
            #expect(await client.ask("?WATCH={\"json\":true};", for: "WATCH") != nil)
            #expect(await control.ask("?devices\n", for: "") == "OK")
            #expect(await control.ask("+\(receiver.path)\r\n", for: "") == "OK")
            await receiver.waitForReader()
            // The server searches for the baud rate, which may drop epochs.
            await receiver.sendEpochs {
                #expect(await client.line(with: #""mode":3"#)?.contains(receiver.path) == true)
            }
            #expect(await control.ask("?devices\n", for: "") == receiver.path)
            #expect(await control.line() == "OK")
            #expect(await control.ask("-\(receiver.path)\r\n", for: "") == "OK")
            let gone = await client.line(with: #""class":"DEVICE","path""#)
            #expect(gone?.contains(#""activated":0"#) == true, "\(gone ?? "")")
            #expect(await control.ask("?devices\n", for: "") == "OK")
            #expect(server.receivers.isEmpty)
        }
    }

    @Test func `a receiver that is served, is not served or does not exist is an error`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server, control in
            for command in [
                "+\(receiver.path)", "-/dev/ttyNone", "+/dev/ttyNone", "!/dev/ttyNone=x",
                "!\(receiver.path)", "&\(receiver.path)=2", "?DEVICES;", "{}", "+", "\u{0}",
            ] {
                #expect(await control.ask("\(command)\n", for: "") == "ERROR", "\(command)")
            }
            #expect(server.receivers.count == 1)
        }
    }

    @Test func `a receiver is removed by another name of its source`() async throws {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let link = folder.path("link")
        #expect(symlink(receiver.path, link) == 0)
        try await Self.serve { server, control in
            #expect(await control.ask("+\(link)\n", for: "") == "OK")
            #expect(await control.ask("-\(receiver.path)\n", for: "") == "OK")
            #expect(server.receivers.isEmpty)
        }
    }

    @Test(arguments: ["!PATH=$PAIR", "&PATH=2450414952"])
    func `bytes are written to a receiver`(command: String) async throws {
        let receiver = try RatedReceiver(9600)
        try await Self.serve([SerialSource(receiver.path)]) { _, control in
            await receiver.waitForReader()
            let sending = Task(executorPreference: Poller.shared) {
                await receiver.sendEpochs(ignoresCommands: true)
            }
            let line = command.replacing("PATH", with: receiver.path)
            while await control.ask("\(line)\n", for: "") != "OK", !Task.isCancelled {}
            while !receiver.receivedCommands.contains("$PAIR"), !Task.isCancelled {
                await Task.yield()
            }
            sending.cancel()
            await sending.value
        }
    }

    @Test func `each change of the receivers is reported`() async throws {
        let receiver = try ScriptedReceiver()
        let changes = Witness<[String]>()
        try await Self.serve(noting: changes) { _, control in
            #expect(await control.ask("+\(receiver.path)\n", for: "") == "OK")
            #expect(await control.ask("+\(receiver.path)\n", for: "") == "ERROR")
            #expect(await control.ask("-\(receiver.path)\n", for: "") == "OK")
        }
        #expect(changes.all == [[receiver.path], []])
    }

    @Test func `a last command needs no line feed, and one that is too long ends the connection`()
        async throws
    {
        try await Self.serve { server, control in
            control.send("?devices")
            control.endSending()
            #expect(await control.line() == "OK")
            #expect(await control.line() == nil)
            let other = try TestClient(path: server.configuration.controlSocket ?? "")
            other.send(String(repeating: "+", count: 20_000))
            #expect(await other.line() == "ERROR")
            #expect(await other.line() == nil)
        }
    }

    @Test func `a command that is not completed within ten seconds ends the connection`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (end, socket) = try TestClient.pair()
        let connection = ClientConnection(Descriptor(socket, poller: poller))
        let commands = Witness<DeviceCommand?>()
        let serving = Task(executorPreference: poller) {
            await ControlClient(connection: connection).serve { command in
                commands.note(command)
                return command == nil ? "ERROR\n" : "OK\n"
            }
        }
        let start = poller.now
        end.send("?devices\n?dev")
        #expect(await end.line() == "OK")
        while poller.nextDeadline != start + .seconds(10) { await Task.yield() }
        clock.advance(by: .seconds(9))
        // More bytes do not extend the time.
        end.send("ice")
        clock.advance(by: .seconds(1))
        #expect(await end.line() == "ERROR")
        #expect(await end.line() == nil)
        #expect(commands.all == [.list, nil])
        await serving.value
    }

    @Test func `only the server's user can use the socket`() async throws {
        try await Self.serve { server, _ in
            var status = stat()
            #expect(stat(server.configuration.controlSocket ?? "", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test(arguments: [
        ("+/dev/ttyUSB0", DeviceCommand.add("/dev/ttyUSB0")),
        ("-gpsd://boat/dev/ttyS0", .remove("gpsd://boat/dev/ttyS0")),
        ("!/dev/ttyUSB0=$A=B", .write("/dev/ttyUSB0=$A=B", isHexadecimal: false)),
        ("&/dev/ttyUSB0=B562", .write("/dev/ttyUSB0=B562", isHexadecimal: true)),
        ("?devices", .list), ("?", nil), ("-", nil), ("", nil), ("x", nil), ("!x", nil),
    ])
    func `commands are those of gpsd`(line: String, command: DeviceCommand?) {
        #expect(DeviceCommand(Array(line.utf8)) == command)
    }

    @Test(arguments: [
        ("/dev/ttyUSB0=$A=B", "/dev/ttyUSB0", "$A=B"),
        ("simulated:seed=1=x", "simulated:seed=1", "x"),
        ("simulated:seed=12=x", "simulated:seed=12", "x"),
        ("simulated:seed=1=", "simulated:seed=1", ""),
        ("other=1=x", "other", "1=x"),
    ])
    func `the name of a device that receives bytes may contain an equals sign`(
        text: String, name: String, content: String
    ) {
        let names = ["simulated:seed=1", "simulated:seed=12", "/dev/ttyUSB0"]
        let divided = DeviceCommand.divide(text, names: names)
        #expect(divided.name == name && divided.content == content)
    }

    private static func serve(
        _ sources: [any DeviceSource] = [], noting changes: Witness<[String]> = Witness(),
        _ body: (_ server: ReceiverServer, _ control: TestClient) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = ServerConfiguration.local
        configuration.controlChange = { changes.note($0.map(\.name)) }
        configuration.controlSocket = folder.path("control")
        let server = try ReceiverServer(sources: sources, configuration: configuration)
        try await server.whileRunning { server in
            try await body(server, TestClient(path: folder.path("control")))
        }
    }
}
