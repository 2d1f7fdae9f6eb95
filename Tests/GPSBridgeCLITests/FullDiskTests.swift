// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// A disk of 64 KiB, or more, with space for a number of files (0 for any number); `nil` if it
/// cannot be mounted, which needs root.
final class SmallDisk {
    let path: String
    private let folder: TemporaryFolder

    init?(kilobytes: Int = 64, files: Int = 0) {
        guard let folder = try? TemporaryFolder() else { return nil }
        self.folder = folder
        path = folder.path("disk")
        // The folder itself is counted, too.
        let options = "size=\(kilobytes)k,nr_inodes=\(files > 0 ? files + 1 : 0)"
        guard mkdir(path, 0o700) == 0, mount("tmpfs", path, "tmpfs", 0, options) == 0
        else {
            return nil
        }
    }

    deinit { umount2(path, CInt(MNT_DETACH)) }

    /// Fills a number of pages of 4 KiB.
    func fill(_ pages: Int) throws {
        let descriptor = open("\(path)/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<pages where write(descriptor, page, page.count) != page.count {
            throw POSIXError(errno)
        }
    }

    func free() {
        unlink("\(path)/ballast")
    }
}

@Suite(.timeLimit(.generous))
struct FullDiskTests {
    private static let isPossible = SmallDisk() != nil

    @Test(.enabled(if: isPossible, "no disk can be mounted here"), arguments: ["gpx", "csv"])
    func `recording waits while the disk is full, which is reported, and cuts no sentence`(
        _ format: String
    )
        async throws
    {
        let disk = try #require(SmallDisk())
        try disk.fill(12)
        let receiver = try ScriptedReceiver()
        let path = "\(disk.path)/a.\(format)"
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", path])
        _ = try await run.message()
        await receiver.sendEpoch(0)
        await receiver.sendEpoch(1)
        try await waitForFile(path) { lines(of: $0).count >= 2 }
        for second in 2..<150 { await receiver.sendEpoch(second) }
        #expect(try await run.message(with: "the disk is full") != nil)
        let full = lines(of: readFile(path))
        if format == "gpx" { #expect(full.last == "</gpx>") }
        disk.free()
        for second in 150..<155 { await receiver.sendEpoch(second) }
        #expect(try await run.message(with: "nothing was lost") != nil)
        // Bytes still in the tty are recorded, too.
        let mark = format == "gpx" ? "</trkpt>" : ",3D,"
        try await waitForFile(path) { bytes in
            lines(of: bytes).count { $0.contains(mark) } >= 154
        }
        await run.end(by: SIGINT)
        #expect(lines(of: readFile(path)).count { $0.contains(mark) } >= 154)
    }

    @Test(
        .enabled(if: isPossible, "no disk can be mounted here"),
        arguments: ["a.nmea", "a.gpx", "a.nmea.zst", "a.csv.gz"])
    func `bytes lost to a full disk are reported, with status 1, also in a second run`(
        _ name: String
    ) async throws {
        let disk = try #require(SmallDisk())
        let folder = try TemporaryFolder()
        let short = try folder.file("short", (0..<20).flatMap { ScriptedReceiver.epoch($0) })
        let path = "\(disk.path)/\(name)"
        let first = try await CommandRun(words: ["record", short, "-o", path])
        #expect(await first.status() == 0)
        let size = readFile(path).count
        try disk.fill(16 - (size + 4095) / 4096)
        let long = try folder.file("long", (100..<20_000).flatMap { ScriptedReceiver.epoch($0) })
        for _ in 1...2 {
            let run = try await CommandRun(words: ["record", long, "-o", path])
            #expect(await run.status() == 1)
            // A shortened end may have freed some space, so the disk is or was full.
            let message = try await run.message(with: "bytes were lost because")
            let states = ["is full", "was full or too slow"]
            #expect(states.contains { message?.contains("the disk of \(path) \($0) (") == true })
            #expect(message?.contains("free some space, and record to the same file again") == true)
            #expect(readFile(path).count >= size)
        }
        disk.free()
        let last = try await CommandRun(words: ["record", short, "-o", path])
        #expect(await last.status() == 0)
        #expect(readFile(path).count > size)
    }

    @Test(.enabled(if: isPossible, "no disk can be mounted here"))
    func `if the disk has no space for another file, recording continues in the current one`()
        async throws
    {
        let disk = try #require(SmallDisk(kilobytes: 1024, files: 2))
        try disk.fill(1)
        let folder = try TemporaryFolder()
        let epochs = (0..<400).flatMap { ScriptedReceiver.epoch($0) }
        let capture = try folder.file("capture", epochs)
        let words = ["record", capture, "-o", "\(disk.path)/t.csv", "--rotate", "1k"]
        let run = try await CommandRun(words: words)
        #expect(try await run.message(with: "; recording continues in ") != nil)
        let last = try await run.message(with: "bytes were recorded to")
        #expect(await run.status() == 0)
        let name = try #require(last?.split(separator: " ").last)
        #expect(lines(of: readFile(String(name))).count == 401)
        disk.free()
        let next = try await CommandRun(words: words)
        #expect(try await next.message(with: "in 2 files") != nil)
        #expect(await next.status() == 0)
    }

    @Test(
        .enabled(if: isPossible, "no disk can be mounted here"), arguments: ["a.nmea", "a.csv"])
    func `the lines that fit on a full disk are written`(_ name: String) async throws {
        let disk = try #require(SmallDisk())
        try disk.fill(12)
        let folder = try TemporaryFolder()
        let long = try folder.file("long", (0..<5000).flatMap { ScriptedReceiver.epoch($0) })
        let path = "\(disk.path)/\(name)"
        let run = try await CommandRun(words: ["record", long, "-o", path])
        #expect(await run.status() == 1)
        let bytes = readFile(path)
        // A line has less than 512 bytes.
        #expect((16 * 1024 - 512...16 * 1024).contains(bytes.count), "\(bytes.count)")
        #expect(bytes.last == 0x0A)
    }

    @Test(
        .enabled(if: isPossible, "no disk can be mounted here"),
        arguments: [["record", "-o"], ["monitor", "--format", "text", "--record"]])
    func `lost bytes give status 1, even if there is space again`(
        _ command: [String]
    ) async throws {
        // The disk has enough space for all waiting data.
        let disk = try #require(SmallDisk(kilobytes: 4096))
        try disk.fill(1023)
        let receiver = try ScriptedReceiver()
        let path = "\(disk.path)/a.nmea"
        let script = #"exec "$0" "$@" > /dev/null"#
        let run = try await CommandRun(
            "/bin/sh",
            words: ["-c", script, CommandRun.executable] + command
                + [path, receiver.path, "-b", "9600"])
        await receiver.waitForReader()
        // More than one megabyte waits.
        for second in 0..<9000 { await receiver.sendEpoch(second) }
        #expect(try await run.message(with: "the disk is full") != nil)
        disk.free()
        for second in 9000..<9010 { await receiver.sendEpoch(second) }
        #expect(try await run.message(with: "the disk has space again") != nil)
        run.send(SIGINT)
        #expect(try await run.message(with: "bytes were lost because the disk of") != nil)
        #expect(await run.status() == 1)
    }

    @Test(
        .enabled(if: isPossible, "no disk can be mounted here"),
        .enabled(if: access("/usr/bin/zstd", X_OK) == 0, "zstd is not installed"))
    func `a compressed recording waits for space, and is complete in the meantime`() async throws {
        let disk = try #require(SmallDisk())
        try disk.fill(15)
        let receiver = try ScriptedReceiver()
        let path = "\(disk.path)/a.nmea.zst"
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-z", "-o", "\(disk.path)/a.nmea"])
        _ = try await run.message()
        await receiver.sendEpoch(0)
        try await waitForFile(path) { !$0.isEmpty }
        // Some hundred kilobytes, compressed to a tenth.
        for second in 1..<3500 { await receiver.sendEpoch(second) }
        #expect(try await run.message(with: "the disk is full") != nil)
        let check = try await CommandRun("/usr/bin/zstd", words: ["-tq", path])
        #expect(await check.status() == 0)
        disk.free()
        for second in 3500..<3510 { await receiver.sendEpoch(second) }
        #expect(try await run.message(with: "nothing was lost") != nil)
        // Bytes still in the tty are recorded, too.
        try await waitForFile(path) { _ in
            try await CommandRun("/usr/bin/zstd", words: ["-dcq", path]).lines()
                .count { $0.contains("GGA,") } == 3510
        }
        await run.end(by: SIGINT)
        let lines = try await CommandRun("/usr/bin/zstd", words: ["-dcq", path]).lines()
        #expect(lines.count { $0.contains("GGA,") } == 3510)
    }

    /// Whether strace is installed and may trace a process, which some containers forbid.
    private static func canInjectErrors() async throws -> Bool {
        guard access("/usr/bin/strace", X_OK) == 0 else { return false }
        let run = try await CommandRun(
            "/usr/bin/strace", words: ["-qq", "-o", "/dev/null", "/bin/true"])
        return await run.status() == 0
    }

    /// Runs `record` with a failing `fdatasync`, and returns its messages and its status.
    private func record(
        _ name: String, failingWith error: String
    ) async throws -> (messages: [String], status: CInt) {
        let folder = try TemporaryFolder()
        let epochs = (0..<20).flatMap { ScriptedReceiver.epoch($0) }
        let capture = try folder.file("capture", epochs)
        let fault = ["-e", "trace=fdatasync", "-e", "inject=fdatasync:error=\(error)"]
        let run = try await CommandRun(
            "/usr/bin/strace",
            words: ["-f", "-qq", "-o", "/dev/null"] + fault
                + [CommandRun.executable, "record", capture, "-o", folder.path(name)])
        let messages = try await run.messages()
        return (messages, await run.status())
    }

    @Test(
        .enabled("needs strace", { try await FullDiskTests.canInjectErrors() }),
        arguments: [
            ("EIO", "cannot record to "), ("ENOSPC", " bytes were lost because the disk of "),
        ])
    func `data that the disk could not store later is reported, with status 1`(
        _ error: String, _ text: String
    ) async throws {
        let (messages, status) = try await record("a.nmea", failingWith: error)
        #expect(status == 1)
        #expect(messages.contains { $0.contains(text) && $0.contains("/a.nmea") }, "\(messages)")
        #expect(!messages.contains { $0.contains("bytes were recorded to") }, "\(messages)")
    }

    @Test(.enabled("needs strace", { try await FullDiskTests.canInjectErrors() }))
    func `a file system that cannot flush files is not an error`() async throws {
        let (messages, status) = try await record("a.nmea", failingWith: "EINVAL")
        #expect(status == 0)
        #expect(messages.contains { $0.contains("bytes were recorded to") }, "\(messages)")
    }
}

/// The output of `record --compress`, examined by the program zstd.
@Suite(
    .timeLimit(.generous),
    .enabled(if: access("/usr/bin/zstd", X_OK) == 0, "zstd is not installed"))
struct CompressedRecordTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the lines of a complete file; throws for one that is cut off.
    private func lines(_ path: String) async throws -> [String] {
        let run = try await CompressedFile(path: path).decompress()
        let lines = try await run.lines()
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        return lines
    }

    private func count(_ text: String, in path: String) async throws -> Int {
        try await lines(path).count { $0.contains(text) }
    }

    @Test(arguments: [("gpx", "</trkpt>"), ("geojson", "Feature\""), ("nmea", "GGA")])
    func `data recorded a second before kill -9 is in a complete file, which is continued`(
        _ format: String, _ mark: String
    ) async throws {
        let tty = folder.path("gps")
        let path = folder.path("a.\(format).zst")
        let words = ["record", tty, "-b", "9600", "-z", "-o", folder.path("a.\(format)")]
        for round in 1...3 {
            let receiver = try ScriptedReceiver(link: tty)
            let run = try await CommandRun(words: words)
            #expect(
                try await run.message()?.contains(
                    round == 1 ? " to \(path)" : ", continuing \(path), which ends 20") == true)
            for second in 0..<4 { await receiver.sendEpoch(round * 10 + second) }
            // No further byte arrives from the receiver.
            try await waitForFile(path) { _ in
                try await CompressedFile(path: path).has(round * 3, mark)
            }
            run.send(SIGKILL)
            #expect(await run.status() == -1)
            #expect(try await count(mark, in: path) >= round * 3)
            receiver.unplug()
        }
        let all = try await lines(path)
        if format == "gpx" {
            #expect(all.last == "</gpx>")
            #expect(all.count { $0.hasPrefix("<trk>") } == all.count { $0 == "</trkseg></trk>" })
        }
        if format == "geojson" { #expect(all.last == "]}") }
    }

    @Test func `a recording that is cut off is reported when it is copied`() async throws {
        let capture = try folder.file("capture", (0..<60).flatMap { ScriptedReceiver.epoch($0) })
        let words = ["record", capture, "-o", folder.path("a.nmea.zst")]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let whole = try folder.bytes("a.nmea.zst")
        let short = try folder.file("b.nmea.zst", whole + whole.dropLast(3))
        let run = try await CommandRun(words: ["record", short, "-o", folder.path("c.nmea")])
        let end = " is cut off: the end of the compressed data is missing"
        #expect(try await run.messages().count { $0.hasSuffix(end) } == 1)
        #expect(await run.status() == 0)
    }

    @Test(arguments: [1, 2, 3, 7, 20, 100])
    func `an end that was cut off is repaired at the next start, before new data`(
        _ missing: Int
    ) async throws {
        let recording = try folder.file("capture", (0..<60).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.gpx.zst")
        let words = ["record", recording, "-o", path]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        #expect(try await count("</trkpt>", in: path) == 60)
        let whole = try folder.bytes("a.gpx.zst")
        _ = try folder.file("a.gpx.zst", Array(whole.dropLast(missing)))

        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", path])
        _ = try await run.message()
        let mended = try await lines(path)
        #expect(mended.last == "</gpx>")
        #expect(mended.allSatisfy { !$0.hasPrefix("<trkpt ") || $0.hasSuffix("</trkpt>") })
        await run.end(by: SIGINT)
    }

    @Test(arguments: ["a.gpx.zst", "a.GPX.ZST"])
    func `a file name selects the format and the compression`(_ name: String) async throws {
        let recording = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let run = try await CommandRun(words: ["record", recording, "-o", folder.path(name)])
        #expect(await run.status() == 0)
        #expect(try await lines(folder.path(name)).last == "</gpx>")
    }

    @Test func `a recording compressed by zstd itself is continued`() async throws {
        let recording = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.gpx")
        #expect(
            await (try await CommandRun(words: ["record", recording, "-o", path])).status() == 0)
        #expect(await (try await CommandRun("/usr/bin/zstd", words: ["-q", path])).status() == 0)
        let run = try await CommandRun(words: ["record", recording, "-z", "-o", path])
        #expect(await run.status() == 0)
        #expect(try await count("</trkpt>", in: path + ".zst") == 6)
    }

    @Test func `a file with another compression is not changed`() async throws {
        let recording = try folder.file("capture", ScriptedReceiver.epoch(0))
        let text = try folder.file("a.gpx", Array("<gpx>mine</gpx>\n".utf8))
        let made = try await CommandRun("/usr/bin/zstd", words: ["-q", text])
        #expect(await made.status() == 0)
        try await CommandRun.expectFailure(
            ["record", recording, "-z", "-o", text], status: 1, "it exists and is not a recording")
        #expect(try await lines(text + ".zst") == ["<gpx>mine</gpx>"])
    }

    @Test
    func `a file that cannot be decompressed, or is too short to be recognised, is not changed`()
        async throws
    {
        let recording = try folder.file("capture", (0..<9).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.nmea.zst")
        let words = ["record", recording, "-o", path]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        var damaged = try folder.bytes("a.nmea.zst")
        for index in 9..<40 { damaged[index] ^= 0xA5 }
        for bytes in [damaged, Array("hi\n".utf8)] {
            _ = try folder.file("a.nmea.zst", bytes)
            try await CommandRun.expectFailure(words, status: 1, "it exists and")
            #expect(try folder.bytes("a.nmea.zst") == bytes)
        }
    }

    @Test func `a compressed recording is converted and replayed like a plain one`() async throws {
        let epochs = (0..<300).flatMap { ScriptedReceiver.epoch($0) }
        let capture = try folder.file("capture", epochs)
        let recorded = try await CommandRun(
            words: ["record", capture, "-z", "-o", folder.path("a.nmea"), "--rotate", "1k"])
        #expect(await recorded.status() == 0)
        let names = folder.names
            .filter { $0.hasPrefix("a-") && $0.hasSuffix(".nmea.zst") }
        let path = folder.path(try #require(names.first))
        let converted = try await CommandRun(words: ["convert", path, "--to", "nmea"]).lines()
        #expect(converted.map { $0 + "\n" }.joined() == String(decoding: epochs, as: UTF8.self))
        let piped = try await CommandRun(words: ["convert", "-", "--to", "csv"], input: path)
        #expect(try await piped.lines().count == 301)
        for words in [[path], ["-"]] {
            let replayed = try await CommandRun(
                words: ["monitor", "-f", "text", "--speed", "1e6"] + words, input: path)
            #expect(try await replayed.lines().count == 300)
            #expect(await replayed.status() == 0)
        }
    }

    @Test func `a damaged file is converted up to the damage, which is reported`() async throws {
        let capture = try folder.file("capture", (0..<3000).flatMap { ScriptedReceiver.epoch($0) })
        let made = try await CommandRun("/usr/bin/zstd", words: ["-q", capture])
        #expect(await made.status() == 0)
        let whole = try folder.bytes("capture.zst")
        for (bytes, text) in [
            (Array(whole.dropLast(6)), "is cut off"),
            (whole + Array("not zstd at all".utf8), "is damaged"),
        ] {
            let path = try folder.file("torn.zst", bytes)
            let run = try await CommandRun(words: ["convert", path, "--to", "gpx"])
            let lines = try await run.lines()
            #expect(lines.count { $0.hasPrefix("<trkpt ") } > 200)
            #expect(lines.last == "</gpx>")
            #expect(try await run.messages().first?.contains(text) == true)
            #expect(await run.status() == 1)
        }
    }
}
