// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

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
        _ sources: [any DeviceSource] = [],
        _ body: (_ server: ReceiverServer, _ control: TestClient) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = ServerConfiguration.local
        configuration.controlSocket = folder.path("control")
        let server = try ReceiverServer(sources: sources, configuration: configuration)
        try await server.whileRunning { server in
            try await body(server, TestClient(path: folder.path("control")))
        }
    }
}
