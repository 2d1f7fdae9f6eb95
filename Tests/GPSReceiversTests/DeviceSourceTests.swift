// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct DeviceSourcesTests {
    @Test func `the kind of file at a path selects the source`() throws {
        let folder = try TemporaryFolder()
        let pty = try PseudoTerminal()
        mkfifo(folder.path("pipe"), 0o600)
        #expect(try DeviceSources.at(pty.path, baudRate: .nmea) is SerialSource)
        #expect(try DeviceSources.at(folder.file("track.nmea", [])) is FileSource)
        #expect(try DeviceSources.at(folder.path("pipe")) is PipeSource)
        #expect(try DeviceSources.at("-") is StandardInputSource)
    }

    @Test func `a source has its capabilities`() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path("pipe"), 0o600)
        let track = try DeviceSources.at(folder.file("track.nmea", []), speed: 8)
        #expect(track.capabilities == [.replaySpeed, .pausing] && track.replaySpeed == 8)
        #expect(try DeviceSources.at(folder.path("pipe")).capabilities == .pausing)
        let tty = SerialSource("/dev/ttyUSB0", baudRate: .nmea)
        #expect(tty.capabilities == .serialLine && tty.ttyPath == "/dev/ttyUSB0")
        #expect(SerialSource("/dev/serial/by-id/usb-a").capabilities == [.serialLine, .hotPlug])
        let any: any DeviceSource = FirstReceiverSource(baudRate: .nmea)
        #expect(
            any.capabilities == [.serialLine, .hotPlug, .selectsDevice] && any.baudRate == .nmea)
        #expect(any.ttyPath == nil && any.endpoint == nil && any.kind == .serial)
        let server: any DeviceSource = TCPSource(host: "boat", port: 10110)
        #expect(server.kind == .tcp && server.capabilities == [])
        #expect(server.endpoint == NetworkEndpoint(host: "boat", port: 10110))
        #expect(GPSDSource(host: "boat").endpoint?.port == 2947)
    }

    @Test func `unreadable paths are rejected`() throws {
        let folder = try TemporaryFolder()
        #expect(code(folder.path) == .isDirectory)
        #expect(code(folder.path("none")) == .notFound)
        #expect(code(try folder.file("file", []) + "/below") == .notFound)
        let socket = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.path("socket")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        #expect(code(path) == .notADevice)
    }

    private func code(_ path: String) -> DeviceError.Code? {
        do {
            _ = try DeviceSources.at(path)
            return nil
        } catch {
            return error.code
        }
    }
}

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
