// SPDX-License-Identifier: MIT
import CGPSPage
import GNSS
import GPSFiles
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import SimulatedDevices
import Testing

@testable import GPSServer

/// The live page over HTTP: files, state, events and access control.
@Suite(.timeLimit(.generous))
struct PageTests {
    @Test
    func
        `the page and its files are served compressed, and only allow content of their own origin`()
        async throws
    {
        try await Self.serve([]) { server in
            let gzip = "Accept-Encoding: gzip, deflate\r\n"
            let page = try await server.get("/", gzip)
            #expect(page[0].contains("200"))
            #expect(page.contains("Content-Encoding: gzip"))
            #expect(page.contains("Vary: Accept-Encoding"))
            #expect(page.contains("Content-Type: text/html; charset=utf-8"))
            let policy = page.first { $0.hasPrefix("Content-Security-Policy: ") } ?? ""
            #expect(policy.contains("default-src 'self';"))
            #expect(!policy.contains("unsafe"))
            let tag = try #require(page.first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
            let again = try await server.get("/", gzip + "If-None-Match: \(tag)\r\n")
            #expect(again[0].contains("304"))
            #expect(again.contains("Cache-Control: no-cache"))
            for path in ["/app.js", "/page.css", "/leaflet.js", "/land.bin", "/notices.txt"] {
                #expect(try await server.get(path)[0].contains("200"), "\(path)")
            }
        }
    }

    @Test func `the history keeps the geoid separation for downloads`() throws {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        (fix.altitude, fix.geoidSeparation) = (171.25, 43.5)
        #expect(try #require(RecentFix(fix, time: 0, cn0: nil)).fix.geoidSeparation == 43.5)
        fix.geoidSeparation = nil
        #expect(try #require(RecentFix(fix, time: 0, cn0: nil)).fix.geoidSeparation == nil)
    }

    /// Values of `If-None-Match` for the version TAG, and whether they match.
    @Test(arguments: [
        ("TAG", true), ("*", true), ("W/TAG", true), ("\"1\", TAG", true),
        ("\"1\",W/TAG , \"2\"", true),
        ("\"1\"", false), ("\"1\", W/\"2\"", false), ("", false), ("tag", false), (",", false),
    ])
    func `a client that has the current version of a file gets no content`(
        versions: String, isKnown: Bool
    ) async throws {
        try await Self.serve([]) { server in
            let page = try await server.get("/app.js")
            let tag = try #require(page.first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
            let header = "If-None-Match: \(versions.replacing("TAG", with: tag))\r\n"
            let again = try await server.get("/app.js", header)
            #expect(again[0].contains(isKnown ? "304" : "200"), "\(header)")
        }
    }

    @Test(arguments: [
        "", "Accept-Encoding: identity\r\n", "Accept-Encoding: br, gzip;q=0\r\n",
        "Accept-Encoding: *;q=0\r\n", "Accept-Encoding: gzip; q=0.0, *\r\n",
    ])
    func `a client that does not accept gzip gets uncompressed files`(header: String)
        async throws
    {
        try await Self.serve([]) { server in
            let page = try await server.get("/", header)
            #expect(page[0].contains("200"))
            #expect(!page.contains { $0.hasPrefix("Content-Encoding") })
            #expect(page.contains { $0.hasPrefix("<!doctype html>") }, "\(page)")
            let tag = try #require(page.first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
            let again = try await server.get("/", header + "If-None-Match: \(tag)\r\n")
            #expect(again[0].contains("304"))
            let compressed = try await server.get("/", "Accept-Encoding: *\r\n")
            #expect(!compressed.contains("ETag: \(tag)"))
            #expect(compressed.contains("Content-Encoding: gzip"))
        }
    }

    @Test(arguments: ["/etc/passwd", "/../Package.swift", "/%2e%2e/x", "/app.js/", "//", "/api/x"])
    func `any other path is not found`(path: String) async throws {
        try await Self.serve([]) { server in
            let lines = try await server.get(path)
            #expect(lines[0].contains("404"))
        }
    }

    @Test(arguments: [
        "Origin: https://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n", "Origin: null\r\n",
    ])
    func `a page of another site cannot read data`(header: String) async throws {
        try await Self.serve([]) { server in
            for path in ["/state", "/events", "/api/fixes", "/"] {
                let lines = try await server.get(path, header)
                #expect(lines[0].contains("403"), "\(path)")
            }
        }
    }

    @Test(arguments: ["evil.example", "localhost.evil.example:80", "127.0.0.1.nip.io", ""])
    func `requests for another host name are rejected against DNS rebinding`(host: String)
        async throws
    {
        try await Self.serve([]) { server in
            for path in ["/state", "/events", "/api/fixes", "/"] {
                let lines = try await server.get(path, host: host)
                #expect(lines[0].contains("421"), "\(path)")
            }
        }
    }

    @Test func `requests for a configured host name are served`() async throws {
        try await Self.serve([], hosts: ["boat.example"]) { server in
            let lines = try await server.get("/state", host: "boat.example:8080")
            #expect(lines[0].contains("200"))
        }
    }

    @Test func `events begin with the state, followed by monitor's objects`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try server.request("/events")
            #expect(await client.line(with: "Content-Type: text/event-stream") != nil)
            #expect(await client.line(with: "event: state") != nil)
            let state = try #require(await client.line(with: "data: "))
            #expect(state.contains(#""receivers":[{"receiver":0,"#))
            #expect(state.contains(#""history":{"#))
            await receiver.waitForReader()
            for second in 0..<3 { await receiver.sendEpoch(second) }
            let event = try #require(await client.line(with: #"data: {"class":"TPV""#))
            #expect(event.contains(#""lat":48.2"#))
            #expect(event.contains(#""gpsbridge":{"receiver":0,"quality":"autonomous","#))
            #expect(event.hasSuffix("}}"))
            receiver.unplug()
            let gone = try #require(await client.line(with: #""state":"lost""#))
            #expect(gone.hasPrefix(#"data: {"class":"DEVICE""#))
            #expect(gone.contains(#""activated":0"#))
            client.close()
        }
    }

    @Test func `viewers get a sign of life, and without viewers no timer runs`() async throws {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        let server = try ReceiverServer(
            sources: [], configuration: configuration, pool: ReceiverPool(poller: poller),
            messages: MessageLog { _, _ in })
        try await server.whileRunning { server in
            #expect(try await server.get("/state")[0].contains("200"))
            // The page's task has run on the poller before this one.
            let deadline = await Task(executorPreference: poller) { poller.nextDeadline }.value
            #expect(deadline == nil)
            let viewer = try server.request("/events")
            #expect(await viewer.line(with: "event: state") != nil)
            await until { poller.nextDeadline != nil }
            clock.advance(by: .seconds(1))
            #expect(await viewer.line(with: "event: alive") != nil)
            viewer.close()
            let none = "gpsbridge_clients{protocol=\"page\"} 0"
            while try await !server.get("/metrics").contains(none), !Task.isCancelled {}
            // The page may have begun another pause before the viewer left.
            await poller.settle()
            for _ in 0..<3 where poller.nextDeadline != nil {
                clock.advance(by: .seconds(1))
                await poller.settle()
            }
            #expect(poller.nextDeadline == nil)
        }
    }

    @Test(arguments: [(OutputProtocols.nmea, "NMEA0183"), (.ubx, "u-blox")])
    func `a receiver's DEVICE names the driver for what it sends`(
        protocols: OutputProtocols, driver: String
    ) async throws {
        var receiver = SimulatedReceiver.Configuration()
        receiver.personality = .ublox8
        receiver.protocols = protocols
        try await Self.serve([]) { server in
            let client = try server.request("/events")
            #expect(await client.line(with: "event: state") != nil)
            // The driver is only in the event about the first epoch.
            try await server.setSources([SimulatedSource(receiver)])
            #expect(await client.line(with: #""driver":"\#(driver)""#) != nil)
            client.close()
        }
    }

    @Test func `a new client gets the last hour, and later requests only new events`() async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try server.request("/events")
            // What comes before the answer is in the state, not in an event of its own.
            #expect(await client.line(with: "event: state") != nil)
            #expect(await client.line(with: "data: ") != nil)
            await receiver.waitForReader()
            // One write: a pause of ten seconds would end the segment of the track.
            let epochs = (0..<6).flatMap { ScriptedReceiver.epoch($0) }
            await receiver.send(String(decoding: epochs, as: UTF8.self))
            for _ in 0..<4 { #expect(await client.line(with: #""class":"TPV""#) != nil) }
            client.close()
            let state = try await server.get("/state").last ?? ""
            #expect(state.contains(#""seconds":[0.000,1.000,2.000"#))
            #expect(state.contains(#""lat":[48.2000000,48.2000000,"#))
            let all = try await server.get("/api/fixes").filter { $0.contains("TPV") }
            #expect(all.count >= 4)
            let since = "/api/fixes?since=2026-03-21T12:00:01Z"
            let new = try await server.get(since).filter { $0.contains("TPV") }
            // The last one may have come since.
            #expect(new.count - (all.count - 2) <= 2 && new.count >= all.count - 2)
            #expect(new.first?.contains(#""time":"2026-03-21T12:00:02.000Z""#) == true)
            let track = try await server.get("/api/fixes?format=gpx&download")
            #expect(track.contains("Content-Type: application/gpx+xml"))
            #expect(track.contains { $0.contains("filename=\"track.gpx\"") })
            #expect(track.count { $0.hasPrefix("<trkpt ") } >= all.count)
            #expect(track.contains { $0.hasPrefix("</gpx>") })
            for (path, status) in [
                ("format=exe", "400"), ("since=never", "400"), ("receiver=7", "404"),
            ] {
                let answer = try await server.get("/api/fixes?\(path)")
                #expect(answer[0].contains(status), "\(path)")
            }
            let sheet = try await server.get("/api/sheet.svg?receiver=0")
            #expect(sheet.contains("Content-Type: image/svg+xml"))
            #expect(sheet.contains { $0.contains("</svg>") })
            // The position of a receiver that has become silent is not listed.
            var list = ""
            var second = 6
            while !list.contains(#""tpv":{"class""#), !Task.isCancelled {
                await receiver.sendEpoch(second)
                second += 1
                list = try await server.get("/api/receivers").last ?? ""
            }
            #expect(list.hasPrefix(#"[{"receiver":0,"name":""#))
        }
    }

    @Test func `a recording is shown without its folder, which is private`() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        let source = FileSource(try folder.file("trip.nmea", bytes), speed: .infinity)
        try await Self.serve([source]) { server in
            var receivers = ""
            while !receivers.contains(#""state":"ended""#), !Task.isCancelled {
                receivers = try await server.get("/api/receivers").last ?? ""
            }
            #expect(receivers.contains(#""name":"trip.nmea","device":"trip.nmea""#))
            for path in ["/state", "/api/fixes", "/api/fixes?format=gpx", "/api/sheet.svg"] {
                let lines = try await server.get(path)
                #expect(lines.contains { $0.contains("trip.nmea") }, "\(path)")
                #expect(!lines.contains { $0.contains(folder.path) }, "\(path)")
            }
        }
    }

    @Test func `an accuracy of millimetres is not rounded to zero`() async throws {
        let folder = try TemporaryFolder()
        let errors = "$GNGST,120000.00,,,,,0.003,0.003,0.005*4F\r\n"
        let bytes = ScriptedReceiver.epoch(0) + Array(errors.utf8)
        let source = FileSource(try folder.file("rtk.nmea", bytes), speed: .infinity)
        try await Self.serve([source]) { server in
            var state = ""
            while !state.contains(#""state":"ended""#), !Task.isCancelled {
                state = try await server.get("/state").last ?? ""
            }
            #expect(state.contains(#""accuracy":[0.005]"#))
        }
    }

    @Test func `sentences are sent on request`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            let client = try server.request("/sentences?receiver=0")
            #expect(await client.line(with: "retry:") != nil)
            await receiver.waitForReader()
            await receiver.sendEpoch(0)
            #expect(await client.line(with: "data: $GNRMC,120000.00,A") != nil)
            await receiver.send("$GPGGA,1*00\r\n")
            #expect(await client.line(with: "event: rejected") != nil)
            client.close()
        }
    }

    @Test(arguments: [(OutputProtocols.nmea, false), (.ubx, true)])
    func `sentences generated from UBX messages are labelled`(
        _ protocols: OutputProtocols, _ isGenerated: Bool
    ) async throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox9
        configuration.protocols = protocols
        configuration.rate = 10
        try await Self.serve([SimulatedSource(configuration)]) { server in
            let client = try server.request("/sentences?receiver=0")
            #expect(await client.line(with: "retry:") != nil)
            var previous = ""
            while let line = await client.line(), !line.hasPrefix("data: $GNRMC") {
                previous = line
            }
            #expect(previous.contains("event: generated") == isGenerated, "\(previous)")
            client.close()
        }
    }

    @Test func `the sentences of a receiver with another name are not sent`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a b.nmea", ScriptedReceiver.epoch(0))
        try await Self.serve([FileSource(file)]) { server in
            let other = try await server.get("/sentences?receiver=0&name=b.nmea")
            #expect(other[0].contains("404"))
            let client = try server.request("/sentences?receiver=0&name=a%20b.nmea")
            #expect(await client.line(with: "retry:") != nil)
            client.close()
        }
    }

    @Test func `a browser keeps tiles, but not the answer that there is none`() async throws {
        let folder = try TemporaryFolder()
        // Tile 0, and tile 1, whose content is beyond the end of the file.
        let bytes = TileFixture.archive(
            [2, 0, 1, 1, 1, 6, 120, 1, 0], tiles: Array("world\n".utf8))
        let archive = try folder.file("a.pmtiles", bytes)
        try await Self.serve([], tileArchive: archive) { server in
            let tile = try await server.get("/tiles/0/0/0")
            #expect(tile[0].contains("200"))
            #expect(tile.contains("Content-Type: image/png"))
            #expect(tile.contains("Cache-Control: max-age=86400"))
            #expect(tile.last == "world")
            for path in ["/tiles/1/0/0", "/tiles/1/1/1", "/tiles/9/9/9", "/tiles/1/0"] {
                let none = try await server.get(path)
                #expect(none[0].contains("404"), "\(path)")
                #expect(none.contains("Cache-Control: no-store"), "\(path)")
            }
        }
    }

    @Test func `headers that are too long are rejected`() async throws {
        try await Self.serve([]) { server in
            let long = "X-Long: \(String(repeating: "x", count: 100_000))\r\n"
            let lines = try await server.get("/", long)
            #expect(lines.isEmpty || lines[0].contains(" 4"))
            #expect(try await server.get("/")[0].contains("200"))
        }
    }

    @Test func `seconds of Unix time keep their milliseconds`() {
        for millisecond in 0..<1000 {
            let digits = "\(1000 + millisecond)".dropFirst()
            let time = LivePage.time("1774094400.\(digits)")
            #expect(time == 1_774_094_400_000_000_000 + Int64(millisecond) * 1_000_000)
        }
        #expect(LivePage.time("9e9") == nil)
    }

    private static func serve(
        _ sources: [any DeviceSource], hosts: [String] = [], tileArchive: String? = nil,
        _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        configuration.page.hosts = hosts
        configuration.page.tileArchive = tileArchive
        let server = try ReceiverServer(sources: sources, configuration: configuration)
        try await server.whileRunning(body)
    }
}

/// The built-in files of the page.
@Suite(.timeLimit(.generous))
struct PackedPageTests {
    /// The path of a file of the package.
    private static func path(_ name: String) -> String {
        PackageFile.folder + "/Sources/System/C/CGPSPage/" + name
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&room, 1, room.count, file), count > 0 {
            bytes += room.prefix(count)
        }
        return bytes
    }

    private static var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var index = 0
        while let file = page_file(index)?.pointee, let path = file.path, let bytes = file.bytes {
            files[String(cString: path)] = Array(
                UnsafeBufferPointer(start: bytes, count: file.count))
            index += 1
        }
        return files
    }

    @Test func `each built-in file is current; scripts/generate/pack-page updates it`() throws {
        let folder = try #require(opendir(Self.path("Files")))
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let packed = Self.files[name == "index.html" ? "/" : "/" + name]
            let plain = Self.bytes(of: Self.path("Files/" + name))
            let unpacked = try packed.flatMap { try CompressedInput.decompressed($0) }
            // Not the arrays themselves, because a failure would print all bytes.
            let isCurrent = unpacked == plain
            #expect(isCurrent, "run scripts/generate/pack-page: \(name)")
        }
    }

    @Test(arguments: Constellation.allCases)
    func `the page names each constellation`(constellation: Constellation) throws {
        let script = try PackageFile.text("Sources/System/C/CGPSPage/Files/signals.js")
        let entry = "\(constellation.letter): \"\(constellation.name)\""
        #expect(script.contains(entry), "add to CONSTELLATIONS in signals.js: \(entry)")
    }

    @Test func `the page has at most 150 kB`() {
        let sum = Self.files.values.reduce(0) { $0 + $1.count }
        #expect(sum < 150_000)
        #expect(Self.files.count == 22)
    }
}

/// PMTiles archives.
enum TileFixture {
    /// The bytes of an archive with an uncompressed root directory.
    static func archive(
        _ directory: [UInt8], tiles: [UInt8], type: UInt8 = 2, compression: UInt8 = 1
    ) -> [UInt8] {
        var header = Array("PMTiles".utf8) + [3] + [UInt8](repeating: 0, count: 119)
        func put(_ value: Int, at offset: Int) {
            for index in 0..<8 { header[offset + index] = UInt8(value >> (8 * index) & 255) }
        }
        put(127, at: 8)
        put(directory.count, at: 16)
        put(127 + directory.count, at: 56)
        (header[97], header[98], header[99], header[101]) = (1, compression, type, 1)
        return header + directory + tiles
    }
}
