// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// The command `gpsbridge serve`, as a process.
@Suite(.timeLimit(.generous))
struct ServeTests {
    @Test func `gpsd's protocol is served at the given address until a signal`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let socket = folder.path("gpsd")
        let run = try await CommandRun(words: [
            "serve", receiver.path, "--user", "root", "--listen", "127.0.0.1:0", "--listen", socket,
            "--nmea",
            "127.0.0.1:0",
        ])
        #expect(try await run.message(with: "serving gpsd's clients at 127.0.0.1:") != nil)
        #expect(try await run.message(with: "serving gpsd's clients at \(socket)") != nil)
        #expect(try await run.message(with: "serving sentences at 127.0.0.1:") != nil)
        await receiver.waitForReader()
        #expect(access(socket, F_OK) == 0)
        await run.end()
        #expect(access(socket, F_OK) != 0)
    }

    @Test func `a full standard error delays nothing`() async throws {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let fill =
            "mkfifo '\(folder.path("err"))' && exec 3<>'\(folder.path("err"))' && "
            + "dd if=/dev/zero of=/dev/fd/3 oflag=nonblock bs=4096 count=999 2>/dev/null; "
        let words = "serve --user root --listen '\(folder.path("gpsd"))' '\(receiver.path)'"
        let run = try await CommandRun(
            "/usr/bin/env",
            words: ["bash", "-c", fill + "exec '\(CommandRun.executable)' \(words) 2>&3"])
        await receiver.waitForReader()
        await receiver.sendEpoch(1)
        await run.end()
    }

    @Test(
        .enabled(
            if: access("/usr/bin/systemd-socket-activate", X_OK) == 0, "systemd is not installed"))
    func `a socket opened by systemd is served`() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path("gpsd.sock")
        let run = try await CommandRun(
            "/usr/bin/systemd-socket-activate",
            words: ["-l", socket, CommandRun.executable, "serve", "simulated:rate=10"])
        let client = try await Self.client(asking: #"?WATCH={"json":true};"#, socket)
        #expect(try await run.message(with: "clients at \(socket), which systemd") != nil)
        #expect(try await client.line(with: "VERSION") != nil)
        let report = try await client.line(with: #""class":"TPV""#)
        #expect(report?.contains(#""status":8"#) == true, "simulated")
        await run.end()
        client.send(SIGTERM)
        _ = await client.status()
    }

    @Test(
        .enabled(
            if: access("/usr/bin/systemd-socket-activate", X_OK) == 0, "systemd is not installed"))
    func `the name of a socket from systemd selects its protocol, and no other is opened`()
        async throws
    {
        let folder = try TemporaryFolder()
        let socket = folder.path("http.sock")
        let run = try await CommandRun(
            "/usr/bin/systemd-socket-activate",
            words: [
                "-l", socket, "--fdname=http", CommandRun.executable, "serve", "simulated:rate=10",
                "--user", "root",
            ])
        let client = try await Self.client(
            asking: "GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n", socket)
        #expect(try await client.line(with: "HTTP/1.") != nil)
        await run.end()
        let messages = try await run.messages()
        #expect(!messages.contains { $0.contains("serving gpsd's clients") }, "\(messages)")
        _ = await client.status()
    }

    /// Starts a program that sends a request to a Unix socket as soon as it accepts connections, and
    /// prints the response. A socket that exists may not listen yet.
    private static func client(
        asking request: String, _ socket: String
    ) async throws -> CommandRun {
        let script = """
            import socket, sys, time
            while True:
                client = socket.socket(socket.AF_UNIX)
                try:
                    client.connect(sys.argv[1])
                    break
                except (FileNotFoundError, ConnectionRefusedError):
                    client.close()
                    time.sleep(0.01)
            client.sendall(sys.argv[2].encode())
            for line in client.makefile(): print(line, end="", flush=True)
            """
        return try await CommandRun(
            "/usr/bin/env", words: ["python3", "-c", script, socket, request])
    }

    @Test func `simulated receivers are added and removed by their arguments`() async throws {
        let folder = try TemporaryFolder()
        let control = folder.path("control")
        let run = try await CommandRun(words: [
            "serve", "--user", "root", "--listen", folder.path("gpsd"), "--control-socket", control,
            "simulated:seed=1",
        ])
        #expect(try await run.message(with: "accepting commands") != nil)
        let client = try await CommandRun(
            "/usr/bin/env",
            words: [
                "python3", "-c",
                """
                import socket, sys
                client = socket.socket(socket.AF_UNIX); client.connect(sys.argv[1])
                answers = client.makefile()
                for command in ["+simulated:seed=2", "+simulated:seed=3", "-simulated:seed=1", "-simulated:seed=2",
                                "+simulated:seed=3"]:
                    client.sendall(command.encode() + b"\\n")
                    print(command, answers.readline().strip())
                """, control,
            ])
        #expect(
            try await client.lines() == [
                "+simulated:seed=2 OK", "+simulated:seed=3 OK", "-simulated:seed=1 OK",
                "-simulated:seed=2 OK", "+simulated:seed=3 ERROR",
            ])
        await run.end()
    }

    @Test func `clients leave enough descriptors for a receiver that comes back`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (link, socket) = (folder.path("gps"), folder.path("gpsd.sock"))
        var receiver = try ScriptedReceiver(link: link)
        let words = "serve --user root --listen '\(socket)' '\(link)'"
        let run = try await CommandRun(
            "/usr/bin/env",
            words: ["bash", "-c", "ulimit -n 64; exec '\(CommandRun.executable)' \(words)"])
        #expect(try await run.message(with: "may open only 64 files") != nil)
        #expect(try await run.message(with: "reading") != nil)
        let clients = try await CommandRun(
            "/usr/bin/env",
            words: [
                "python3", "-c",
                """
                import socket, sys, time
                clients = [socket.socket(socket.AF_UNIX) for _ in range(80)]
                for client in clients: client.connect(sys.argv[1])
                # The last one has been turned away.
                clients[-1].recv(1); print("connected", flush=True)
                time.sleep(1e6)
                """, socket,
            ])
        #expect(try await clients.line(with: "connected") != nil)
        receiver.unplug()
        #expect(try await run.message(with: "is gone") != nil)
        receiver = try ScriptedReceiver(link: link)
        #expect(try await run.message(with: "is back") != nil)
        clients.send(SIGKILL)
        await run.end()
        _ = await clients.status()
    }

    @Test func `connected clients do not lower the limit of clients when receivers change`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (control, socket) = (folder.path("control"), folder.path("gpsd.sock"))
        let words =
            "serve --user root --listen '\(socket)' --control-socket '\(control)' simulated:seed=1"
        let run = try await CommandRun(
            "/usr/bin/env",
            words: ["bash", "-c", "ulimit -n 64; exec '\(CommandRun.executable)' \(words)"])
        #expect(try await run.message(with: "accepting commands") != nil)
        let before = try #require(try await run.message(with: "accepts at most"))
        let client = try await CommandRun(
            "/usr/bin/env",
            words: [
                "python3", "-c",
                """
                import socket, sys
                def connected(path):
                    client = socket.socket(socket.AF_UNIX); client.connect(path)
                    return client
                clients = [connected(sys.argv[1]) for _ in range(8)]
                for client in clients: client.recv(1)
                control = connected(sys.argv[2]); answers = control.makefile()
                for command in ["+simulated:seed=2", "-simulated:seed=2"]:
                    control.sendall(command.encode() + b"\\n")
                    print(answers.readline().strip())
                """, socket, control,
            ])
        #expect(try await client.lines() == ["OK", "OK"])
        let during = try await run.message(with: "accepts at most")
        let after = try await run.message(with: "accepts at most")
        #expect(during != nil && during != before, "a receiver has been added")
        #expect(after == before)
        await run.end()
    }

    @Test func `after SIGHUP the receiver is opened again, and clients stay connected`()
        async throws
    {
        let folder = try TemporaryFolder()
        let receiver = try ScriptedReceiver()
        let socket = folder.path("gpsd.sock")
        let run = try await CommandRun(
            words: ["serve", "--user", "root", "--listen", socket, "--baud", "9600", receiver.path])
        #expect(try await run.message(with: "reading") != nil)
        let client = try await Self.client(asking: #"?WATCH={"json":true};"#, socket)
        #expect(try await client.line(with: #""class":"WATCH""#) != nil)
        for _ in 0..<3 {
            run.send(SIGHUP)
            #expect(try await run.message(with: "opening them again") != nil)
            #expect(try await run.message(with: "reading") != nil)
            #expect(try await client.line(with: #""activated":"2"#) != nil)
        }
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        #expect(try await client.line(with: #""mode":3"#) != nil)
        await run.end()
        _ = await client.status()
    }

    @Test(.enabled(if: getuid() == 0, "needs root"))
    func `every thread gives up root's privileges`() async throws {
        let run = try await CommandRun(words: ["serve", "simulated", "--listen", "127.0.0.1:0"])
        #expect(try await run.message(with: "serving gpsd's clients at 127.0.0.1:") != nil)
        let users = run.userIDs
        #expect(!users.isEmpty && !users.contains(0), "by thread: \(users)")
        await run.end()
    }

    @Test(arguments: [
        ["serve", "--listen", "host:port"], ["serve", "--nmea", "pty:"], ["serve", "--shm", "x"],
        ["serve", "--shm", "256"], ["serve", "--shm", "-1"],
        ["serve", "--shm", "255", "--pps", "/dev/pps0"], ["serve", "--listen", "80000"],
        ["serve", "--listen", ":2947"], ["serve", "--nmea", "80000"],
        ["serve", "--tiles", "https://tiles.example/a.png"],
        ["monitor", "--web", "--count", "1", "simulated"],
        ["monitor", "--web", "--units", "imperial", "simulated"],
        ["monitor", "--web", "--truth", "48,16", "simulated"],
    ])
    func `invalid options of serve are usage errors`(_ words: [String]) async throws {
        let run = try await CommandRun(words: words)
        #expect(await run.status() == 2)
    }

    @Test func `monitor --web prints the address of the page`() async throws {
        let run = try await CommandRun(words: ["monitor", "--web", "simulated"])
        let address = try await run.line(with: "http://localhost:")
        #expect(address?.hasSuffix("/") == true)
        await run.end(by: SIGINT)
    }

    @Test func `monitor --web serves the page beside what it prints`() async throws {
        let run = try await CommandRun(words: ["monitor", "--web", "-f", "json", "simulated"])
        let message = try await run.message(with: "serving the page at http://localhost:")
        let port = message?.split(separator: ":").last?.split(separator: "/").first
        #expect(port.flatMap { UInt16($0) } != nil)
        #expect(try await run.line(with: #""class":"TPV""#) != nil)
        await run.end(by: SIGINT)
    }

    @Test func `a page for other machines without a token causes a warning`() async throws {
        let words = ["serve", "simulated", "--user", "root", "--listen", "127.0.0.1:0", "--http"]
        let open = try await CommandRun(words: words + ["*:0"])
        #expect(try await open.message(with: "--http-token-file") != nil)
        await open.end()
        let folder = try TemporaryFolder()
        let file = try folder.file("token", Array("0123456789abcdef\n".utf8))
        try #require(chmod(file, 0o600) == 0)
        let guarded = try await CommandRun(words: words + ["*:0", "--http-token-file", file])
        #expect(try await guarded.message(with: "the page at") != nil)
        await guarded.end()
        #expect(try await guarded.message(with: "warning") == nil)
    }

    @Test(arguments: ["--listen", "--nmea"])
    func `an address that other machines can reach causes a warning`(option: String) async throws {
        let run = try await CommandRun(words: [
            "serve", "simulated", "--user", "root", "--listen", "127.0.0.1:0", option, "*:0",
        ])
        let served = try await run.message(with: " at *:")
        let port = try #require(served?.split(separator: ":").last.flatMap { UInt16($0) })
        #expect(port != 0)
        let warning = "warning: other machines can reach *:\(port) "
        #expect(try await run.message(with: warning) != nil)
        await run.end()
    }

    @Test func `the time of a simulated receiver is not used, which is reported`() async throws {
        let run = try await CommandRun(words: [
            "serve", "simulated", "--user", "root", "--listen", "127.0.0.1:0", "--chrony",
            "/nonexistent/chrony.sock",
        ])
        let message = try await run.message(with: "is not passed to chronyd")
        #expect(message?.hasSuffix("it is simulated") == true)
        await run.end()
    }

    @Test(.enabled(if: getuid() == 0, "needs root"))
    func `a receiver that only root may open ends a server that was started as root`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("tty")
        // Serial port 4, which need not exist; its node belongs to root.
        try #require(mknod(path, S_IFCHR | 0o600, 4 << 8 | 64) == 0)
        try #require(chmod(folder.path, 0o755) == 0)
        let run = try await CommandRun(words: ["serve", path, "--listen", "127.0.0.1:0"])
        let message = try await run.message(with: "'nobody'")
        #expect(message?.contains("--user root") == true)
        #expect(await run.status() == 1)
    }

    @Test(.enabled(if: getuid() == 0, "needs root"))
    func `files created as root are removed after privileges were dropped`()
        async throws
    {
        let folder = try TemporaryFolder()
        try #require(chmod(folder.path, 0o755) == 0)
        let names = ["gpsd", "nmea", "http", "pty"]
        let run = try await CommandRun(words: [
            "serve", "simulated", "--listen", folder.path("gpsd"), "--nmea", folder.path("nmea"),
            "--http", folder.path("http"), "--nmea", "pty:\(folder.path("pty"))",
        ])
        #expect(try await run.message(with: "sending sentences to pty:") != nil)
        func isThere(_ name: String) -> Bool {
            var status = stat()
            return lstat(folder.path(name), &status) == 0
        }
        #expect(names.allSatisfy(isThere))
        await run.end()
        #expect(!names.contains(where: isThere))
    }

    @Test func `without libmicrohttpd only the page fails, with advice`() async throws {
        let folder = try TemporaryFolder()
        // The loader finds the empty file instead of the library, and fails.
        _ = try folder.file("libmicrohttpd.so.12", [])
        func run(_ words: String...) async throws -> CommandRun {
            try await CommandRun(
                variables: ["LD_LIBRARY_PATH=\(folder.path)"],
                words: ["serve", "simulated", "--user", "root", "--listen", "127.0.0.1:0"] + words)
        }
        let failed = try await run("--http", "127.0.0.1:0")
        #expect(try await failed.message(with: "apt-get install libmicrohttpd12") != nil)
        #expect(await failed.status() == 1)
        let served = try await run()
        #expect(try await served.message(with: "serving gpsd's clients at 127.0.0.1:") != nil)
        await served.end()
    }
}

/// The command `gpsbridge serve` with sockets that systemd has opened.
@Suite(.timeLimit(.generous))
struct ActivationTests {
    @Test func `--nmea with the address of a socket from systemd selects its sentences`()
        async throws
    {
        let run = try await Self.serve("--nmea", "127.0.0.1:<PORT>=GGA")
        let message = try #require(try await run.message(with: ", which systemd has opened"))
        let port = try #require(message.split(separator: "127.0.0.1:").last?.prefix { $0 != "," })
        let client = try await CommandRun(
            "/usr/bin/env", words: ["bash", "-c", "exec cat </dev/tcp/127.0.0.1/\(port)"])
        for _ in 0..<5 {
            let sentence = try await client.line()
            #expect(sentence?.contains("GGA,") == true, "\(sentence ?? "")")
        }
        client.send(SIGTERM)
        _ = await client.status()
        await run.end()
    }

    @Test func `the name of a socket from systemd selects its sentences`() async throws {
        let unit = try PackageFile.text("udev-rules/gpsbridge-geoclue.socket")
        let name = try #require(unit.firstMatch(of: /FileDescriptorName=(nmea=.*)/)?.1)
        let run = try await Self.serve(name: String(name))
        let message = try #require(try await run.message(with: ", which systemd has opened"))
        let port = try #require(message.split(separator: "127.0.0.1:").last?.prefix { $0 != "," })
        let client = try await CommandRun(
            "/usr/bin/env", words: ["bash", "-c", "exec cat </dev/tcp/127.0.0.1/\(port)"])
        for _ in 0..<6 {
            let sentence = try #require(try await client.line())
            #expect(sentence.contains("GGA,") || sentence.contains("RMC,"), "\(sentence)")
        }
        client.send(SIGTERM)
        _ = await client.status()
        await run.end()
    }

    @Test func `--nmea for a port that systemd has opened for another address is reported`()
        async throws
    {
        let run = try await Self.serve("--nmea", "*:<PORT>")
        #expect(try await run.message(with: "does not listen on *:") != nil)
        #expect(try await run.message(with: ", which systemd has opened") != nil)
        await run.end()
        let messages = try await run.messages()
        #expect(!messages.contains { $0.contains("other machines") }, "\(messages)")
    }

    @Test func `clients are served at each address of a socket from systemd`() async throws {
        let addresses = ["127.0.0.1", "127.0.0.2"]
        let run = try await Self.serve(name: "gpsd", addresses: addresses)
        for address in addresses {
            let message = try #require(try await run.message(with: "clients at \(address):"))
            let end = try #require(message.split(separator: "\(address):").last)
            let port = end.prefix { $0 != "," }
            let client = try await CommandRun(
                "/usr/bin/env", words: ["bash", "-c", "exec cat </dev/tcp/\(address)/\(port)"])
            #expect(try await client.line()?.contains("VERSION") == true)
            client.send(SIGTERM)
            _ = await client.status()
        }
        await run.end()
    }

    @Test func `the installed socket serves both addresses of localhost, also without IPv6`() throws
    {
        let unit = try PackageFile.text("udev-rules/gpsbridge.socket")
        for line in [
            "ListenStream=127.0.0.1:2947", "ListenStream=[::1]:2947", "FreeBind=yes",
        ] {
            #expect(unit.contains("\n\(line)\n"), "\(line)")
        }
    }

    /// Serves a simulated receiver with sockets of a name at free ports, as systemd passes them.
    /// `<PORT>` stands for the port of the first one.
    private static func serve(
        _ words: String..., name: String = "nmea", addresses: [String] = ["127.0.0.1"]
    ) async throws -> CommandRun {
        let script = """
            import fcntl, os, socket, sys
            name, addresses, words = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
            listeners = [socket.create_server((address, 0)) for address in addresses]
            port = str(listeners[0].getsockname()[1])
            copies = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD_CLOEXEC, 20) for one in listeners]
            for index, copy in enumerate(copies): os.dup2(copy, 3 + index)
            os.environ.update(
                LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(copies)),
                LISTEN_FDNAMES=":".join([name] * len(copies)))
            words = [word.replace("<PORT>", port) for word in words]
            os.execv(words[0], words)
            """
        let command = [CommandRun.executable, "serve", "simulated:rate=10", "--user", "root"]
        let arguments = [name, addresses.joined(separator: " ")] + command + words
        return try await CommandRun("/usr/bin/env", words: ["python3", "-c", script] + arguments)
    }
}

/// Detection of the server behind `tcp://…`.
@Suite(.timeLimit(.generous))
struct ServerKindTests {
    /// Runs a command with a server that sends a text repeatedly.
    private func run(
        _ words: [String], against text: String
    ) async throws -> (run: CommandRun, name: String) {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let name = "tcp://127.0.0.1:\(server.port)"
        // On the polling thread, since other tests may block the others.
        let sending = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                server.send(Array(text.utf8))
                _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            }
        }
        let run = try await CommandRun(words: words.map { $0 == "SERVER" ? name : $0 })
        _ = await run.status()
        sending.cancel()
        await sending.value
        server.close()
        return (run, name)
    }

    @Test(arguments: [
        (["monitor", "SERVER", "-f", "text"], CInt(1)),
        // The first bytes end the examination.
        (["doctor", "SERVER", "--duration", "300"], CInt(15)),
    ])
    func `a gpsd behind tcp:// is detected, and its gpsd:// address suggested`(
        _ words: [String], _ status: CInt
    ) async throws {
        let greeting = "{\"class\":\"VERSION\",\"release\":\"3.25\",\"proto_major\":3}\r\n"
        let (run, name) = try await run(words, against: greeting)
        let output = try await run.messages() + run.lines()
        let address = "gpsd://" + name.dropFirst("tcp://".count)
        #expect(output.contains { $0.contains("is a gpsd") && $0.contains(address) }, "\(output)")
        #expect(await run.status() == status)
    }
}

/// The notifications that `gpsbridge` sends to systemd or a compatible service manager.
@Suite(.timeLimit(.generous), .undelayed)
struct ServiceTests {
    @Test func `a recording sends readiness, status, watchdog and stop notifications`()
        async throws
    {
        let folder = try TemporaryFolder()
        let manager = try Manager(folder.path("notify"))
        let receiver = try ScriptedReceiver()
        // Every four seconds. The socket holds about ten datagrams, and others are lost, which must
        // not happen to the last one if the machine pauses.
        let run = try await CommandRun(
            variables: ["NOTIFY_SOCKET=\(folder.path("notify"))", "WATCHDOG_USEC=8000000"],
            words: ["record", receiver.path, "-o", folder.path("track.nmea")])
        let first = await manager.next { !$0.hasPrefix("WATCHDOG") }
        #expect(first == "READY=1")
        let status = await manager.next { $0.hasPrefix("STATUS=") }
        #expect(status?.hasPrefix("STATUS=recording \(receiver.path) to ") == true)
        for _ in 0..<3 { #expect(await manager.next { $0 == "WATCHDOG=1" } != nil) }
        run.send(SIGTERM)
        #expect(await manager.next { $0 == "STOPPING=1" } != nil)
        #expect(await run.status() == 0)
    }

    @Test func `an abstract socket is supported, and a missing listener is ignored`()
        async throws
    {
        let folder = try TemporaryFolder()
        let name = "@gpsbridge-test-\(getpid())"
        let manager = try Manager(name)
        let receiver = try ScriptedReceiver()
        let track = folder.path("track.nmea")
        let words = ["record", receiver.path, "-o", track]
        let run = try await CommandRun(variables: ["NOTIFY_SOCKET=\(name)"], words: words)
        #expect(await manager.next { $0 == "READY=1" } != nil)
        await run.end()
        let alone = try await CommandRun(
            variables: ["NOTIFY_SOCKET=\(folder.path("none"))"], words: words)
        #expect(try await alone.message() != nil)
        await alone.end()
    }

    @Test func `a status is one line, even if a name contains line breaks`() async throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(folder.path("notify"))
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            variables: ["NOTIFY_SOCKET=\(folder.path("notify"))"],
            words: ["record", receiver.path, "-o", folder.path("track\nMAINPID=1.nmea")])
        let status = await manager.next { $0.hasPrefix("STATUS=") }
        #expect(status?.contains("track\\u{A}MAINPID=1") == true)
        run.send(SIGTERM)
        _ = await run.status()
    }

    /// systemd's end of the socket.
    private final class Manager: Sendable {
        private let descriptor: Descriptor

        init(_ name: String) throws {
            let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
            descriptor = Descriptor(fd)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { room in
                room.copyBytes(from: name.utf8)
                if name.hasPrefix("@") { room[0] = 0 }
            }
            let length = socklen_t(2 + name.utf8.count)
            let status = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
            }
            try #require(status == 0)
        }

        /// Returns the next datagram that meets a condition.
        func next(where isWanted: (String) -> Bool) async -> String? {
            while case .bytes(let bytes) = await descriptor.read(atMost: 4096, until: nil) {
                let text = String(decoding: bytes, as: UTF8.self)
                if isWanted(text) { return text }
            }
            return nil
        }
    }
}
