// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct FileSourceTests {
    @Test func `a file is read to its end, and later reads return the end again`() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let source = FileSource(try folder.file("track.nmea", bytes))
        let connection = try await source.open()
        #expect(try await connection.collect() == bytes)
        #expect(try await connection.read(until: nil) == .end)
        #expect(try await connection.read(until: nil) == .end)
        #expect(source.origin == .replay)
        #expect(source.availability() == nil)
    }

    @Test func `an empty file ends immediately`() async throws {
        let folder = try TemporaryFolder()
        let connection = try await FileSource(try folder.file("empty", [])).open()
        #expect(try await connection.read(until: nil) == .end)
    }

    @Test func `each source value reads from the beginning and is a separate receiver`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", [1, 2, 3])
        let (first, second) = (FileSource(path), FileSource(path))
        #expect(first.identity != second.identity)
        #expect(try await first.open().collect() == [1, 2, 3])
        #expect(try await second.open().collect() == [1, 2, 3])
    }

    @Test func `a path that is not a regular file has its own error`() async throws {
        let folder = try TemporaryFolder()
        #expect(await FileSource(folder.path).failure()?.code == .isDirectory)
        #expect(await FileSource("/dev/null").failure()?.code == .notADevice)
        #expect(await FileSource(folder.path("none")).failure()?.code == .notFound)
    }
}

@Suite(.timeLimit(.generous))
struct PipeSourceTests {
    @Test func `a pipe without a writer is silent and not at its end`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        mkfifo(path, 0o600)
        let connection = try await PipeSource(path).open()
        #expect(try await connection.read(until: .after(.milliseconds(3))) == .silence)
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        write(writer, "abc", 3)
        #expect(try await connection.read(until: nil) == .bytes(Array("abc".utf8)))
        close(writer)
        #expect(try await connection.read(until: nil) == .end)
        #expect(try await connection.read(until: nil) == .end)
    }
}

@Suite(.timeLimit(.generous))
struct StandardInputSourceTests {
    @Test func `a pipe is read to its end, and its shared flags do not change`() async throws {
        let pipe = try Pipe()
        defer { close(pipe.reader) }
        let flags = fcntl(pipe.reader, F_GETFL)
        let source = StandardInputSource(descriptor: pipe.reader)
        let connection = try await source.open()
        defer { connection.close() }
        write(pipe.writer, "abc", 3)
        #expect(try await connection.read(until: nil) == .bytes(Array("abc".utf8)))
        #expect(try await connection.read(until: .after(.milliseconds(3))) == .silence)
        #expect(fcntl(pipe.reader, F_GETFL) == flags)
        close(pipe.writer)
        #expect(try await connection.read(until: nil) == .end)
        #expect(try await connection.read(until: nil) == .end)
        #expect(fcntl(pipe.reader, F_GETFD) >= 0, "the caller owns the descriptor")
        #expect(source.origin == .unknown)
    }

    @Test func `a file continues where the one before ended`() async throws {
        let folder = try TemporaryFolder()
        let fd = open(try folder.file("track.nmea", Array("abcdef".utf8)), O_RDONLY | O_CLOEXEC)
        defer { close(fd) }
        lseek(fd, 2, SEEK_SET)
        let source = StandardInputSource(descriptor: fd)
        #expect(try await source.open().collect() == Array("cdef".utf8))
        #expect(source.origin == .replay)
    }

    @Test func `a terminal can be standard input`() async throws {
        let pty = try PseudoTerminal()
        let fd = open(pty.path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        defer { close(fd) }
        let connection = try await StandardInputSource(descriptor: fd).open()
        defer { connection.close() }
        await pty.write(Array("abc".utf8))
        #expect(try await connection.collect(3) == Array("abc".utf8))
    }

    @Test func `a socket can be standard input`() async throws {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0)
        defer { close(ends[0]) }
        let connection = try await StandardInputSource(descriptor: ends[0]).open()
        defer { connection.close() }
        #expect(try await connection.read(until: .after(.milliseconds(3))) == .silence)
        write(ends[1], "abc", 3)
        #expect(try await connection.collect(3) == Array("abc".utf8))
        close(ends[1])
        #expect(try await connection.read(until: nil) == .end)
    }

    @Test func `bytes of a socket are delivered without waiting for more`() async throws {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let connection = try await StandardInputSource(descriptor: ends[0]).open()
        defer { connection.close() }
        // The size of a single read, so that more bytes may be available.
        let bytes = [UInt8](repeating: 0x41, count: 4096)
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        #expect(try await connection.read(until: nil) == .bytes(bytes))
        #expect(try await connection.read(until: .after(.milliseconds(3))) == .silence)
    }

    @Test func `the null device ends immediately`() async throws {
        let fd = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(fd) }
        let connection = try await StandardInputSource(descriptor: fd).open()
        defer { connection.close() }
        #expect(try await connection.read(until: nil) == .end)
    }

    @Test func `closed standard input is an error`() async {
        #expect(await StandardInputSource(descriptor: 1_000_000).failure()?.code == .ioFailed)
    }
}
