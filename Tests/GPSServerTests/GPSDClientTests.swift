// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSConfiguration
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

/// Clients that send requests faster than they read replies.
@Suite(.timeLimit(.generous))
struct GPSDClientTests {
    private static let queueLimit = 64 * 1024

    @Test func `the memory for unread replies is limited, and no reply is lost`() async throws {
        let budget = OutputBudget()
        let requests = 1500
        try await Self.withClients(1, budget) { ends in
            let (replies, most) = await Self.exchange(requests, ends[0], budget)
            #expect(replies == requests)
            #expect(most <= Self.queueLimit)
        }
        #expect(budget.count == 0)
    }

    @Test func `all clients together stay within the server's memory limit`() async throws {
        let budget = OutputBudget(limit: 100_000)
        try await Self.withClients(8, budget) { ends in
            let exchanges = ends.map { end in Task { await Self.exchange(400, end, budget) } }
            for exchange in exchanges {
                let (replies, most) = await exchange.value
                #expect(replies == 400)
                // The client that exceeds it, and the short queues of the others.
                #expect(most <= 100_000 + Self.queueLimit + 8 * 33_000)
            }
        }
    }

    @Test func `each request has its own time limit of ten seconds`() async throws {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (end, socket) = try TestClient.pair()
        let connection = ClientConnection(Descriptor(socket, poller: poller))
        let snapshot = ServerSnapshot(devices: [], time: nil)
        let client = Task(executorPreference: poller) {
            await GPSDClient(connection, hub: ReportHub()) { snapshot }.serve()
        }
        let start = poller.now
        end.send("?VERS")
        while poller.nextDeadline == nil { await Task.yield() }
        #expect(poller.nextDeadline == start + .seconds(10))
        clock.advance(by: .seconds(9))
        #expect(await end.line(with: "VERSION") != nil, "the greeting")
        #expect(await end.ask("ION;?DEVI", for: "VERSION") != nil)
        while poller.nextDeadline == nil { await Task.yield() }
        #expect(poller.nextDeadline == start + .seconds(19))
        clock.advance(by: .seconds(9))
        #expect(await end.ask("CES;", for: "DEVICES") != nil)
        end.close()
        await client.value
    }

    /// Sends POLL requests and reads the replies once they are queued; returns their number and the
    /// maximum that was queued for all clients.
    private static func exchange(
        _ count: Int, _ end: Descriptor, _ budget: OutputBudget
    ) async -> (replies: Int, most: Int) {
        let requests = Array(String(repeating: "?POLL;", count: count).utf8)
        let sent = end.use { send($0, requests, requests.count, CInt(MSG_NOSIGNAL)) }
        #expect(sent == requests.count)
        var (replies, most, rounds) = (0, 0, 0)
        // Waits until all replies are queued, before reading.
        while budget.count < queueLimit / 4 || rounds < 20_000 {
            rounds = budget.count > most ? 0 : rounds + 1
            most = max(most, budget.count)
            await Task.yield()
        }
        // VERSION, and DEVICES and WATCH for the first request.
        while replies < count + 3 {
            most = max(most, budget.count)
            guard case .bytes(let bytes) = await end.read(atMost: 65_536, until: nil) else { break }
            replies += bytes.count { $0 == 0x0A }
        }
        return (replies - 3, most)
    }

    /// Serves clients whose replies have 600 bytes; calls `body` with the clients' sockets.
    private static func withClients(
        _ count: Int, _ budget: OutputBudget, _ body: ([Descriptor]) async throws -> Void
    ) async throws {
        let time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)
        var device = ServedDevice(path: "/dev/a")
        device.activated = time
        device.lastReports[.sky] = "{" + String(repeating: " ", count: 500) + "}"
        let snapshot = ServerSnapshot(devices: [device], time: time)
        let hub = ReportHub()
        var ends: [Descriptor] = []
        var clients: [Task<Void, Never>] = []
        for _ in 0..<count {
            var pair: [CInt] = [-1, -1]
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            try #require(
                socketpair(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
            let connection = ClientConnection(
                Descriptor(pair[0]), queueLimit: queueLimit, budget: budget)
            let end = Descriptor(pair[1])
            _ = end.use { send($0, "?WATCH={\"enable\":true}", 22, CInt(MSG_NOSIGNAL)) }
            ends.append(end)
            clients.append(
                Task(executorPreference: Poller.shared) {
                    await GPSDClient(connection, hub: hub) { snapshot }.serve()
                })
        }
        try await body(ends)
        for end in ends { end.close() }
        for client in clients { await client.value }
    }
}

/// Requests and replies of gpsd's protocol.
@Suite(.timeLimit(.generous))
struct GPSDConversationTests {
    private static let time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)

    @Test func `VERSION reports the emulated gpsd's version`() {
        #expect(
            Self.ask("?VERSION;") == [
                #"{"class":"VERSION","release":"3.25","rev":"\#(GPSDConversation.serverName)","#
                    + #""proto_major":3,"proto_minor":15,"gpsbridge":true}"#
            ])
    }

    @Test(arguments: [
        (GPSDRelease.r3_22, "3.22", 3, 14), (.r3_25, "3.25", 3, 15), (.r3_27_5, "3.27.5", 16, 1),
    ])
    func `the release that clients are told has its protocol's version`(
        _ release: GPSDRelease, _ name: String, _ major: Int, _ minor: Int
    ) {
        var conversation = GPSDConversation(release: release)
        conversation.push(Array("?VERSION;".utf8))
        let version = GPSDConversation.greeting(release)
        let reply = conversation.nextReply { ServerSnapshot(devices: [], time: nil) }
        #expect(reply == .lines(version))
        let text = String(decoding: version, as: UTF8.self)
        #expect(text.contains(#""release":"\#(name)""#))
        #expect(text.contains(#""proto_major":\#(major),"proto_minor":\#(minor),"#))
    }

    @Test func `clients are told the release of the newest libgps of this machine`() throws {
        let folders = try ["a", "b"].map { name in
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "\(UUID().uuidString)-\(name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }
        defer { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
        #expect(GPSDRelease.installed(in: folders.map(\.path)) == nil)
        for (folder, version, release) in [
            (folders[1], 28, GPSDRelease.r3_22), (folders[0], 30, .r3_25),
            (folders[1], 32, .r3_27_5),
        ] {
            try Data().write(to: folder.appending(path: "libgps.so.\(version)"))
            #expect(GPSDRelease.installed(in: folders.map(\.path)) == release)
        }
    }

    @Test func `WATCH answers with the devices and the settings`() {
        #expect(
            Self.ask("?WATCH={\"enable\":true,\"json\":true};\n") == [
                #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","#
                    + #""driver":"NMEA0183","activated":"2026-03-23T12:35:19.000Z","flags":1,"#
                    + #""native":0,"parity":"N","stopbits":1,"cycle":1.00}]}"#,
                #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"#
                    + #""timing":false,"split24":false,"pps":false}"#,
            ])
    }

    @Test func `DEVICE names the driver that gpsd uses for the receiver`() {
        var device = ServedDevice(path: "/dev/a")
        device.activated = Self.time
        device.driver = "NMEA0183"
        #expect(device.report.contains(#""driver":"NMEA0183""#))
        device.driver = "u-blox"
        #expect(device.report.contains(#""driver":"u-blox""#))
    }

    // python3-gps ends with an error if there is a subtype without a driver.
    @Test func `DEVICE with a subtype also has a driver, before there is data and after the end`() {
        let members = #""driver":"NMEA0183","subtype":"replay","#
        var device = ServedDevice(path: "drive.nmea", origin: .replay)
        device.activated = Self.time
        #expect(device.report.contains(members))
        device.activated = nil
        #expect(device.report.contains(members))
        device.origin = .live
        #expect(!device.report.contains("driver") && !device.report.contains("subtype"))
    }

    @Test func `DEVICE states whether the receiver sends binary messages, and accepts this value`()
    {
        var device = ServedDevice(path: "/dev/a")
        device.activated = Self.time
        for (driver, native) in [("NMEA0183", 0), ("u-blox", 1)] {
            device.driver = driver
            #expect(device.report.contains(#""native":\#(native),"#))
            var conversation = GPSDConversation()
            let replies = [native, 1 - native].map {
                conversation.ask(#"?DEVICE={"path":"/dev/a","native":\#($0)};"#, [device])
            }
            #expect(replies.map(\.count) == [1, 2], "the other value is an error")
        }
    }

    // gpsd-py3 and others read `bps` without checking that there is one.
    @Test func `DEVICE of a receiver with native USB has the rate of its tty`() {
        var device = ServedDevice(path: "/dev/ttyACM0")
        device.activated = Self.time
        device.ttyRate = 9600
        #expect(device.report.contains(#""native":0,"bps":9600,"parity":"N""#))
        var conversation = GPSDConversation()
        let replies = conversation.ask(#"?DEVICE={"path":"/dev/ttyACM0","bps":9600};"#, [device])
        #expect(replies.count == 1, "an equal setting is not a change")
    }

    // gpsprof reads `cycle` without checking that there is one.
    @Test func `DEVICE with a rate has gpsd's cycle of 1 s until the cycle has been measured`() {
        var device = ServedDevice(path: "/dev/a")
        device.activated = Self.time
        #expect(!device.report.contains("cycle"))
        device.baudRate = 9600
        #expect(device.report.contains(#""stopbits":1,"cycle":1.00}"#))
        device.cycle = 0.2
        #expect(device.report.contains(#""stopbits":1,"cycle":0.20}"#))
    }

    @Test func `DEVICE marks devices that send AIS messages`() {
        var device = ServedDevice(path: "/dev/a")
        device.activated = Self.time
        #expect(!device.report.contains("driver") && !device.report.contains("flags"))
        device.hasVessels = true
        #expect(device.report.contains(#""driver":"AIVDM""#))
        #expect(device.report.contains(#""flags":8,"#))
        device.driver = "NMEA0183"
        #expect(device.report.contains(#""driver":"NMEA0183""#))
        #expect(device.report.contains(#""flags":9,"#))
    }

    @Test func `a WATCH keeps formats that it does not contain, and resets everything else`() {
        var conversation = GPSDConversation()
        _ = conversation.ask("?WATCH={\"enable\":true,\"json\":true,\"scaled\":true};\n")
        _ = conversation.ask("?WATCH={\"raw\":2,\"pps\":true}\r\n")
        #expect(conversation.watch.isEnabled && conversation.watch.json)
        #expect(conversation.watch.raw == 2 && conversation.watch.pps)
        #expect(!conversation.watch.scaled)
        _ = conversation.ask("?WATCH={\"enable\":false};")
        #expect(!conversation.watch.isEnabled && conversation.watch.json)
    }

    @Test(arguments: [
        ("{}", true, false, 0), ("{\"enable\":maybe,\"json\":true}", false, true, 0),
        ("{\"raw\":true}", true, false, 0), ("{\"raw\":7}", true, false, 7),
        ("{\"json\":1,\"x\":[{}],\"class\":\"WATCH\"}", true, true, 0),
        ("{\"enable\":\"true\",\"json\":\"true\"}", true, true, 0),
        ("{\"enable\":\"false\",\"json\":true}", false, true, 0),
    ])
    func `values are parsed as by gpsd`(
        _ argument: String, _ isEnabled: Bool, _ json: Bool, _ raw: Int
    ) {
        var conversation = GPSDConversation()
        _ = conversation.ask("?WATCH=\(argument)")
        #expect(conversation.watch.isEnabled == isEnabled)
        #expect(conversation.watch.json == json)
        #expect(conversation.watch.raw == raw)
    }

    @Test func `an empty device in a request is the same as none`() {
        var conversation = GPSDConversation()
        let replies = conversation.ask("?WATCH={\"json\":true,\"device\":\"\"}")
        #expect(replies.count == 2 && replies.last?.hasSuffix(#""pps":false}"#) == true)
        #expect(conversation.watch.json && conversation.watch.device == nil)
        let device = conversation.ask("?DEVICE={\"path\":\"\"}")
        #expect(device.first?.hasPrefix(#"{"class":"DEVICE","path":"/dev/a""#) == true)
    }

    @Test func `a WATCH for an unknown device is an error, and applies once the device exists`() {
        var conversation = GPSDConversation()
        #expect(
            conversation.ask("?WATCH={\"device\":\"/dev/none\",\"nmea\":true}") == [
                #"{"class":"ERROR","message":"No such device as /dev/none"}"#
            ])
        let filter = ReportFilter(conversation.watch)
        #expect(filter.passes(Report(.sentence(formatter: "RMC"), device: "/dev/none", bytes: [])))
        #expect(!filter.passes(Report(.sentence(formatter: "RMC"), device: "/dev/a", bytes: [])))
    }

    @Test func `an invalid WATCH has no effect`() {
        var conversation = GPSDConversation()
        _ = conversation.ask("?WATCH={\"json\":true}")
        let before = conversation.watch
        #expect(
            conversation.ask("?WATCH={\"nmea\":true 1}") == [
                #"{"class":"ERROR","message":"Invalid WATCH: ',' or '}' expected"}"#
            ])
        #expect(conversation.watch == before)
    }

    @Test func `a WATCH of a device names it`() {
        let replies = Self.ask("?WATCH={\"nmea\":true,\"device\":/dev/a};")
        #expect(replies.last?.hasSuffix(#""pps":false,"device":"/dev/a"}"#) == true)
    }

    @Test func `a device that is not a file is also named with a slash, as in gpsd://HOST/NAME`() {
        let devices = ["simulated:seed=1", "/dev/a"].map { Self.device($0) }
        var conversation = GPSDConversation()
        let replies = conversation.ask(
            "?WATCH={\"nmea\":true,\"device\":\"/simulated:seed=1\"};", devices)
        #expect(replies.last?.hasSuffix(#""device":"simulated:seed=1"}"#) == true)
        #expect(conversation.watch.device == "simulated:seed=1")
        let device = conversation.ask("?DEVICE={\"path\":\"/simulated:seed=1\"};", devices)
        #expect(device.first?.contains(#""path":"simulated:seed=1""#) == true)
        let none = conversation.ask("?WATCH={\"device\":\"//dev/b\"};", devices)
        #expect(none.first?.contains("No such device") == true)
    }

    @Test
    func `a server that this one reads gets no data of other servers, but that of a receiver`() {
        let devices = ["/dev/a", "gpsd://boat:2947"].map { Self.device($0) }
        func answer(_ members: String, readers: String) -> String? {
            var conversation = GPSDConversation(name: "b7")
            let request = "?WATCH={\"nmea\":true,\"servers\":\"\(readers)\"\(members)};"
            return conversation.ask(request, devices).first
        }
        let boat = ",\"device\":\"gpsd://boat:2947\""
        #expect(answer("", readers: "a1 b7")?.contains("would get its own data back") == true)
        #expect(answer(boat, readers: "a1 b7")?.contains("would get its own data back") == true)
        #expect(answer(",\"device\":\"/dev/a\"", readers: "a1 b7")?.contains("DEVICES") == true)
        #expect(answer("", readers: "a1 c7")?.contains("DEVICES") == true)
    }

    @Test func `names of servers that cannot be part of a request are ignored`() {
        var conversation = GPSDConversation()
        _ = conversation.ask(##"?WATCH={"servers":"a1 \",\"raw\":2 0123456789abc"};"##)
        #expect(conversation.watch.servers == ["a1"])
    }

    @Test func `POLL has the last reports of watching clients`() {
        var conversation = GPSDConversation()
        let nothing =
            #"{"class":"POLL","time":"2026-03-23T12:35:19.000Z","active":0,"#
            + #""tpv":[],"gst":[],"sky":[]}"#
        #expect(conversation.ask("?POLL;") == [nothing])
        _ = conversation.ask("?WATCH={\"enable\": true}\n")
        #expect(
            conversation.ask("?POLL;\n") == [
                #"{"class":"POLL","time":"2026-03-23T12:35:19.000Z","active":1,"#
                    + #""tpv":[{"class":"TPV","mode":3}],"#
                    + #""gst":[{"class":"GST","device":"/dev/a"}],"sky":[{"class":"SKY"}]}"#
            ])
    }

    @Test func `POLL has an object of each class for each active device, as in gpsd`() {
        var new = Self.device("/dev/a")
        new.lastReports = [:]
        (new.dilution.hdop, new.satellitesUsed) = (0.9, 8)
        var silent = Self.device("/dev/b")
        silent.lastReports = [:]
        silent.isSilent = true
        var conversation = GPSDConversation()
        _ = conversation.ask("?WATCH={\"enable\":true}", [new, silent])
        #expect(
            conversation.ask("?POLL;", [new, silent]) == [
                #"{"class":"POLL","time":"2026-03-23T12:35:19.000Z","active":1,"#
                    + #""tpv":[{"class":"TPV","device":"/dev/a","mode":1}],"#
                    + #""gst":[{"class":"GST","device":"/dev/a"}],"#
                    + #""sky":[{"class":"SKY","device":"/dev/a","hdop":0.90,"uSat":8}]}"#
            ])
    }

    @Test func `a device that has not been opened yet is listed with its path, as in gpsd`() {
        let device = ServedDevice(path: "/dev/b")
        var conversation = GPSDConversation(allowsControl: true)
        let replies = conversation.ask("?WATCH={\"nmea\":true,\"device\":\"/dev/b\"};", [device])
        #expect(
            replies.first
                == #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/b"}]}"#)
        #expect(replies.last?.hasSuffix(#""device":"/dev/b"}"#) == true)
        #expect(
            conversation.ask(#"?CONFIGURE={"path":"/dev/b","settings":"rate = 10"};"#, [device])
                == [#"{"class":"ERROR","message":"Can't open /dev/b."}"#])
    }

    @Test func `without a path, several devices are named, with the way to choose one`() {
        var conversation = GPSDConversation(allowsControl: true)
        let replies = conversation.ask(
            "?CONFIGURE={};", [Self.device("/dev/a"), Self.device("simulated")])
        #expect(
            replies == [
                #"{"class":"ERROR","message":"No path specified in DEVICE, but multiple devices are "#
                    + "attached: /dev/a, simulated; name one, as in `gpsbridge configure "
                    + #"gpsd://HOST/dev/a`."}"#
            ])
    }

    @Test func `at most four devices are listed at once, the others follow`() {
        let devices = (0..<6).map { Self.device("/dev/tty\($0)", mode: $0 == 5 ? .threeD : .noFix) }
        var conversation = GPSDConversation()
        let replies = conversation.ask("?WATCH={\"json\":true}", devices)
        #expect(replies.count == 4)
        #expect(replies[0].components(of: "\"class\":\"DEVICE\"") == 4)
        #expect(replies[0].contains("/dev/tty5"), "those with a fix come first")
        #expect(replies[2].hasPrefix(#"{"class":"DEVICE","path":"/dev/tty3""#))
        let complete = conversation.ask("?WATCH={\"gpsbridge\":true}", devices)
        #expect(complete.count == 2)
    }

    @Test func `DEVICE reports the current values, and an unknown device cannot be opened`() {
        #expect(Self.ask("?DEVICE={\"path\":\"/dev/a\"};").count == 1)
        let same = Self.ask(#"?DEVICE={"path":"/dev/a","parity":"N","cycle":1.0,"native":0};"#)
        #expect(same.count == 1, "an equal setting is not a change")
        #expect(
            Self.ask("?DEVICE={\"path\":\"/dev/none\",\"bps\":9600};") == [
                #"{"class":"ERROR","message":"Can't open /dev/none."}"#
            ])
    }

    @Test(arguments: [
        #""bps":4800"#, #""cycle":0.2"#, #""hexdata":"b562""#, #""native":1"#, #""parity":"E""#,
    ])
    func `a change without permission is rejected, and the current values are reported`(
        _ setting: String
    ) {
        let replies = Self.ask("?DEVICE={\"path\":\"/dev/a\",\(setting)};")
        #expect(replies.count == 2)
        #expect(replies.first?.hasPrefix(#"{"class":"ERROR""#) == true)
        #expect(replies.last?.hasPrefix(#"{"class":"DEVICE","path":"/dev/a""#) == true)
    }

    @Test
    func `permitted changes are passed on in the order of requests`() {
        var conversation = GPSDConversation(allowsControl: true)
        let members = #""bps":38400,"cycle":0.2,"hexdata":"24b5""#
        let request = #"?VERSION;?DEVICE={"path":"/dev/a",\#(members)};?POLL;"#
        conversation.push(Array(request.utf8))
        let replies = (0..<4).map { _ in conversation.nextReply { Self.snapshot(nil) } }
        guard case .lines? = replies[0], case .change(let change)? = replies[1],
            case .lines? = replies[2], replies[3] == nil
        else {
            Issue.record("\(replies)")
            return
        }
        #expect(change.path == "/dev/a" && change.bytes == [0x24, 0xB5])
        let settings = change.request?.configuration
        #expect(settings?.baudRate == 38_400 && settings?.rate == 5)
    }

    @Test(arguments: [
        #""bps":1"#, #""bps":1e30"#, #""bps":31337"#, #""cycle":0"#, #""cycle":-1"#,
        #""hexdata":"2""#, #""hexdata":"zz""#, #""hexdata":"""#, #""native":1"#, #""stopbits":2"#,
    ])
    func `an impossible setting is rejected, also with permission`(
        _ setting: String
    ) {
        var conversation = GPSDConversation(allowsControl: true)
        let replies = conversation.ask("?DEVICE={\"path\":\"/dev/a\",\(setting)};")
        #expect(replies.count == 2 && replies[0].hasPrefix(#"{"class":"ERROR""#))
    }

    @Test(arguments: [
        "DEVICE={\"path\":\"/dev/a\",\"hexdata\":\"24b5\"}", "CONFIGURE={\"path\":\"/dev/a\"}",
    ])
    func `a web page that sends requests to the port may not change receivers`(request: String) {
        var conversation = GPSDConversation(allowsControl: true)
        let replies = conversation.ask(
            "POST / HTTP/1.1\r\nHost: localhost:2947\r\n\r\n?VERSION;?\(request);")
        #expect(replies.first?.contains("VERSION") == true)
        #expect(replies.dropFirst().first?.contains("not a request") == true, "\(replies)")
    }

    @Test func `an error quotes only the current line, as ASCII`() {
        #expect(
            Self.ask("?FÖO\u{1}\"\n") == [
                #"{"class":"ERROR","message":"Unrecognized request '?F\u00d6O\u0001\"'"}"#
            ])
        let long = Self.ask("?" + String(repeating: "x", count: 1000) + "\n")
        #expect((long.first?.utf8.count ?? 0) < 160)
    }

    private static func device(_ path: String, mode: FixMode = .threeD) -> ServedDevice {
        var device = ServedDevice(path: path)
        device.activated = time
        device.driver = "NMEA0183"
        device.cycle = 1
        device.mode = mode
        device.lastReports = [
            .tpv: #"{"class":"TPV","mode":3}"#, .sky: #"{"class":"SKY"}"#,
        ]
        return device
    }

    private static func ask(_ request: String) -> [String] {
        var conversation = GPSDConversation()
        return conversation.ask(request)
    }

    fileprivate static func snapshot(_ devices: [ServedDevice]?) -> ServerSnapshot {
        ServerSnapshot(devices: devices ?? [device("/dev/a")], time: time)
    }
}

extension GPSDConversation {
    /// Returns the lines of all replies to `bytes`.
    mutating func receive(_ bytes: [UInt8], _ snapshot: () -> ServerSnapshot) -> [UInt8] {
        push(bytes)
        var lines: [UInt8] = []
        while let reply = nextReply(snapshot) {
            if case .lines(let bytes) = reply { lines += bytes }
        }
        return lines
    }

    /// The lines of the replies.
    fileprivate mutating func ask(_ request: String, _ devices: [ServedDevice]? = nil) -> [String] {
        let replies = receive(Array(request.utf8)) { GPSDConversationTests.snapshot(devices) }
        return String(decoding: replies, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }
}

extension String {
    /// Returns the number of occurrences of another text.
    fileprivate func components(of part: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
