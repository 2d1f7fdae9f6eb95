// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct PseudoTerminalTests {
    @Test func `bytes without a reader are lost and counted`() async throws {
        let pty = try PseudoTerminal()
        #expect(await pty.write([1, 2, 3]) == 0)
        #expect(pty.droppedByteCount == 3)
    }

    @Test func `a tty can be read by one reader after another`() async throws {
        let pty = try PseudoTerminal()
        for round in 0..<5 {
            let connection = try await SerialSource(pty.path).open()
            await pty.write([UInt8(round)])
            #expect(try await connection.collect(1) == [UInt8(round)])
            connection.close()
            // A process just forked by another test holds every open tty for a moment.
            await pty.waitUntilUnread()
            #expect(await pty.write([99]) == 0)
        }
    }

    @Test func `a reader that does not read makes the writer drop, if that is the policy`()
        async throws
    {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let block = [UInt8](repeating: 0, count: 100_000)
        let sent = await pty.write(block, whenFull: .drop)
        #expect(sent > 0 && sent < block.count)
        #expect(pty.droppedByteCount == block.count - sent)
        withExtendedLifetime(connection) {}
    }

    @Test func `a writer that waits for room ends at its deadline`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let block = [UInt8](repeating: 0, count: 100_000)
        let sent = await pty.write(block, until: .after(.milliseconds(5)))
        #expect(sent < block.count)
        withExtendedLifetime(connection) {}
    }

    @Test func `a writer that waits for room ends when the reader disconnects`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        async let sent = pty.write([UInt8](repeating: 0, count: 100_000))
        await Task.yield()
        connection.close()
        #expect(await sent < 100_000)
    }

    @Test func `a task can wait for bytes of a program that opens the tty later`() async throws {
        let pty = try PseudoTerminal()
        for round in 0..<2 {
            let waiting = Task.immediate { await pty.waitForHostBytes() }
            let connection = try await SerialSource(pty.path).openLine()
            try await connection.write([UInt8(round), 1])
            #expect(await waiting.value)
            // Opening a tty flushes it, which ends a wait, too.
            var bytes = pty.takeHostBytes()
            while bytes.count < 2, await pty.waitForHostBytes() { bytes += pty.takeHostBytes() }
            #expect(bytes == [UInt8(round), 1])
            connection.close()
            await pty.waitUntilUnread()
        }
        #expect(await pty.waitForHostBytes(until: .after(.milliseconds(5))) == false)
    }

    @Test func `a writer can wait for a reader`() async throws {
        let pty = try PseudoTerminal()
        #expect(await pty.waitForReader(until: .after(.milliseconds(3))) == false)
        async let isThere = pty.waitForReader()
        let connection = try await SerialSource(pty.path).open()
        #expect(await isThere)
        await pty.write([1])
        #expect(try await connection.collect(1) == [1])
    }

    @Test func `the link lives as long as the tty`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let pty = try PseudoTerminal(link: link)
        #expect(target(link) == pty.path)
        pty.close()
        #expect(target(link) == nil)
        pty.close()
    }

    @Test func `a stale link is replaced`() throws {
        let folder = try TemporaryFolder()
        symlink("/dev/pts/none", folder.path("gps"))
        let pty = try PseudoTerminal(link: folder.path("gps"))
        #expect(target(folder.path("gps")) == pty.path)
    }

    @Test func `a redirected link is not changed`() throws {
        let folder = try TemporaryFolder()
        let pty = try PseudoTerminal(link: folder.path("gps"))
        let other = try PseudoTerminal(link: folder.path("gps"))
        pty.close()
        #expect(target(folder.path("gps")) == other.path)
    }

    @Test func `unplugging twice keeps a later link of the same name`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let pty = try PseudoTerminal(link: link)
        let path = pty.path
        pty.close()
        // The kernel may reuse the name.
        symlink(path, link)
        pty.close()
        var status = stat()
        #expect(lstat(link, &status) == 0)
    }

    @Test func `a regular file is never replaced by a link`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("gps", [7])
        let error = #expect(throws: IOError.self) { try PseudoTerminal(link: path) }
        #expect(error.map { DeviceError($0).code } == .nameTaken)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_size == 1)
    }
}

private func target(_ link: String) -> String? {
    realpath(link, nil).map { real in
        defer { free(real) }
        return String(cString: real)
    }
}
