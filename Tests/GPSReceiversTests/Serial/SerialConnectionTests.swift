// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct SerialConnectionTests {
    @Test func `a reader gets every byte in order for every chunking`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        async let received = connection.collect(sent.count)
        var rest = sent[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...3000))
            #expect(await pty.write(Array(chunk)) == chunk.count)
            rest = rest.dropFirst(chunk.count)
        }
        #expect(try await received == sent)
        #expect(pty.droppedByteCount == 0)
    }

    @Test func `every byte value passes unchanged`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let all = (0...255).map { UInt8($0) }
        await pty.write(all)
        #expect(try await connection.collect(256) == all)
        #expect(pty.takeHostBytes() == [], "nothing is echoed")
    }

    @Test
    func `a read without bytes ends at the deadline, and the next one gets the next byte`()
        async throws
    {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let deadline = MonotonicInstant.after(.milliseconds(5))
        #expect(try await connection.read(until: deadline) == .silence)
        #expect(MonotonicInstant.now >= deadline)
        await pty.write([42])
        #expect(try await connection.read(until: nil) == .bytes([42]))
    }

    @Test func `available bytes take precedence over a passed deadline`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        await pty.write([42])
        #expect(try await connection.read(until: .after(.seconds(-1))) == .bytes([42]))
    }

    @Test func `a hang-up is a disconnection and closes the connection`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        async let failure = connection.failure()
        pty.close()
        #expect(await failure == DeviceError(.disconnected, device: pty.path))
        #expect(await connection.failure()?.code == .cancelled)
    }

    @Test(arguments: [true, false])
    func `the reader learns of a disconnection that a write or a new baud rate noticed first`(
        writes: Bool
    ) async throws {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        pty.close()
        let error = await #expect(throws: DeviceError.self) {
            if writes { try await connection.write([42]) } else { try await connection.set(.nmea) }
        }
        #expect(error?.code == .disconnected)
        #expect(await connection.failure()?.code == .disconnected)
    }

    @Test func `a hang-up wakes the poller once`() async throws {
        try await withHangUp { connection in
            #expect(await connection.failure()?.code == .disconnected)
        }
    }

    @Test func `a hang-up that no task awaits does not spin`() async throws {
        try await withHangUp { _ in }
    }

    /// Hangs up a tty after a wait, and checks that the poller sleeps afterwards.
    private func withHangUp(_ body: @Sendable (SerialConnection) async -> Void) async throws {
        let poller = Poller()
        defer { poller.stop() }
        let pty = try PseudoTerminal()
        var source = SerialSource(pty.path)
        source.poller = poller
        let connection = try source.connect()
        await withTaskExecutorPreference(poller) {
            #expect((try? await connection.read(until: .after(.milliseconds(1)))) == .silence)
            let before = poller.wakeUps
            pty.close()
            await body(connection)
            for _ in 0..<10 { _ = await poller.sleep(until: .after(.milliseconds(1))) }
            #expect(poller.wakeUps - before <= 11)
        }
        withExtendedLifetime(connection) {}
    }

    @Test func `opening returns to the poller's thread`() async throws {
        let pty = try PseudoTerminal()
        let threads = try await Task(executorPreference: Poller.shared) {
            let before = pthread_self()
            let connection = try await SerialSource(pty.path).open()
            connection.close()
            return (before, pthread_self())
        }.value
        #expect(threads.0 == threads.1)
    }

    @Test func `cancelling a waiting task ends it immediately and closes the connection`()
        async throws
    {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        let task = Task { await connection.failure() }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(connection.baudRate == nil)
        try SerialSource(pty.path).connect().close()
    }

    @Test func `closing ends a waiting read`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        async let failure = connection.failure()
        await Task.yield()
        connection.close()
        connection.close()
        #expect(await failure?.code == .cancelled)
    }

    @Test func `closing keeps the bytes that the driver has sent`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        try await connection.serialLine?.write([1, 2, 3])
        connection.close()
        #expect(pty.takeHostBytes() == [1, 2, 3])
    }

    @Test func `releasing the last reference closes the connection`() async throws {
        let pty = try PseudoTerminal()
        _ = try await SerialSource(pty.path).open()
        // Processes forked by other tests have the tty open until they run their own program.
        await pty.waitUntilUnread()
        #expect(!pty.hasReader)
    }

    @Test func `thousands of connections leak no descriptor`() async {
        // In a separate process, where no other test opens files at the same time.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let link = folder.path("gps")
            func cycle(_ number: Int) async throws {
                let pty = try PseudoTerminal(link: link)
                let connection = try await SerialSource(link).open()
                switch number % 4 {
                case 0: connection.close()
                case 1:
                    pty.close()
                    #expect(await connection.failure()?.code == .disconnected)
                case 2:
                    let task = Task { await connection.failure() }
                    task.cancel()
                    #expect(await task.value?.code == .cancelled)
                default:
                    await pty.write([1, 2, 3])
                    #expect(try await connection.collect(3) == [1, 2, 3])
                }
            }
            func watch() async throws {
                let availability = SerialSource(link).availability()
                await availability?.next(until: .now)
                try await PseudoTerminal().waitForReader(until: .now)
            }
            for number in 0..<8 { try await cycle(number) }
            try await watch()
            let before = openDescriptorCount()
            for number in 0..<4000 { try await cycle(number) }
            for _ in 0..<20 { try await watch() }
            #expect(openDescriptorCount() == before)
        }
    }
}
