// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import GPSTestSupport
import Testing

/// A blocking pipe simulates a file on a disk that does not respond.
@Suite(.timeLimit(.generous))
struct FileConnectionTests {
    @Test func `a disk that does not respond does not block the polling thread`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let disk = try Pipe()
        defer { close(disk.writer) }
        let file = FileConnection(Descriptor(disk.reader, poller: poller), name: "file")
        let reading = Task(executorPreference: poller) { try await file.read(until: nil) }
        let (reader, writer) = try pipe(poller)
        _ = writer.use { write($0, "x", 1) }
        // Runs after the task that reads the file.
        let read = await Task(executorPreference: poller) {
            await reader.read(atMost: 10, until: nil)
        }.value
        #expect(read == .bytes(Array("x".utf8)))
        write(disk.writer, "abc", 3)
        #expect(try await reading.value == .bytes(Array("abc".utf8)))
    }

    @Test func `closing does not wait for the disk`() async throws {
        let disk = try Pipe()
        defer { for end in [disk.reader, disk.writer] { close(end) } }
        let file = FileConnection(Descriptor(disk.reader, owned: false), name: "file")
        let reading = Task { await file.failure() }
        file.close()
        write(disk.writer, "abc", 3)
        #expect(await reading.value?.code == .cancelled)
        #expect(await file.failure()?.code == .cancelled)
    }

    @Test func `a read failure is an error, not the end`() async throws {
        let folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let file = FileConnection(Descriptor(folder), name: "file")
        #expect(await file.failure()?.code == .ioFailed)
    }
}
