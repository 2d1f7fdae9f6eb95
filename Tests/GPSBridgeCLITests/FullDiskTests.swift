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
