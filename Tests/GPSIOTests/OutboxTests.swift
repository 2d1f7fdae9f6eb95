// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct OutboxTests {
    /// A writer to a disk that does not respond before its gate is open.
    private struct Disk {
        let gate = Gate()
        let begun = Witness<Void>()
        let written = Witness<[UInt8]>()
        let failures = Witness<CInt>()
        let fills = Witness<Bool>()

        func outbox(
            head: String = "", limit: Int = 1 << 20, poller: Poller = .shared, failure: CInt = 0
        ) -> Outbox {
            Outbox(
                .background(poller) { bytes in
                    begun.note(())
                    gate.pass()
                    written.note(bytes)
                    return failure
                }, limit: limit, head: Array(head.utf8),
                events: Outbox.Events {
                    fills.note($0)
                } fail: {
                    failures.note($0)
                })
        }

        var text: String { String(decoding: written.all.flatMap(\.self), as: UTF8.self) }
    }

    @Test func `without a report, no output is pending, not even the header`() async throws {
        let disk = Disk()
        let outbox = disk.outbox(head: "head\n")
        try await outbox.finish()
        #expect(outbox.pendingCount == 0 && disk.text.isEmpty)
    }

    @Test func `reports can be added while the disk does not respond, and are written in order`()
        async throws
    {
        let disk = Disk()
        let outbox = disk.outbox(head: "head\n")
        for line in ["one\n", "two\n", "three\n"] {
            outbox.send(droppable: Array(line.utf8))
        }
        _ = await disk.begun.first(1)
        outbox.send(droppable: Array("four\n".utf8))
        #expect(disk.written.all.isEmpty)
        disk.gate.open()
        try await outbox.finish()
        #expect(disk.text == "head\none\ntwo\nthree\nfour\n")
        #expect(outbox.pendingCount == 0)
        #expect(outbox.droppedCount == 0)
        // Writing resumes after the queue was empty.
        outbox.send(droppable: Array("five\n".utf8))
        try await outbox.finish()
        #expect(disk.text.hasSuffix("four\nfive\n"))
    }

    @Test func `the oldest reports are dropped and counted if the disk is too slow`()
        async throws
    {
        let disk = Disk()
        let outbox = disk.outbox(limit: 20)
        outbox.send(droppable: Array("first\n".utf8))
        _ = await disk.begun.first(1)
        for number in 0..<9 { outbox.send(droppable: Array("line \(number)\n".utf8)) }
        disk.gate.open()
        try await outbox.finish()
        #expect(disk.text == "first\nline 7\nline 8\n")
        #expect(outbox.droppedCount == 7)
    }

    @Test func `a source that can pause does so while much is pending, and loses nothing`()
        async throws
    {
        let disk = Disk()
        let outbox = disk.outbox(limit: 20)
        let line = [UInt8](repeating: 0x41, count: 1 << 16)
        outbox.send(kept: line)
        _ = await disk.begun.first(1)
        for _ in 0..<4 { outbox.send(kept: line) }
        #expect(disk.fills.all.isEmpty)
        outbox.send(kept: line)
        #expect(disk.fills.all == [true])
        disk.gate.open()
        try await outbox.finish()
        #expect(disk.fills.all == [true, false])
        #expect(disk.written.all.map(\.count).reduce(0, +) == 6 << 16)
    }

    @Test func `finishing waits for the disk until a deadline, also in a cancelled task`()
        async throws
    {
        let disk = Disk()
        let clock = TestClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let outbox = disk.outbox(poller: poller)
        outbox.send(droppable: Array("one\n".utf8))
        _ = await disk.begun.first(1)
        let end = Task {
            try await outbox.finish(until: poller.now + .seconds(5), by: poller)
            return outbox.pendingCount
        }
        end.cancel()
        await clock.waitForSleeper()
        clock.advance(by: .seconds(5))
        #expect(try await end.value == 4)
        let second = Task {
            try await outbox.finish(until: poller.now + .seconds(5), by: poller)
            return outbox.pendingCount
        }
        second.cancel()
        disk.gate.open()
        #expect(try await second.value == 0)
        #expect(disk.text == "one\n")
    }

    @Test func `a failed write is reported once, and no write follows it`()
        async throws
    {
        let disk = Disk()
        let outbox = disk.outbox(failure: ENOSPC)
        disk.gate.open()
        outbox.send(kept: Array("one\n".utf8))
        _ = await disk.failures.first(1)
        outbox.send(kept: Array("two\n".utf8))
        await #expect(throws: IOError(.write, "", errno: ENOSPC)) { try await outbox.finish() }
        #expect(disk.text == "one\n")
        #expect(disk.failures.all == [ENOSPC])
        #expect(outbox.pendingCount == 0)
    }

    /// A socket and an outbox for its other end.
    private static func socket(
        limit: Int, timeout: Duration? = nil, poller: Poller = .shared,
        fail: @escaping @Sendable (CInt) -> Void = { _ in }
    ) throws -> (Outbox, Descriptor) {
        var pair: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        let outbox = Outbox(
            .descriptor(Descriptor(pair[0], poller: poller), by: .send, timeout: timeout),
            limit: limit, events: Outbox.Events(fail: fail))
        return (outbox, Descriptor(pair[1]))
    }

    private static let piece = [UInt8](repeating: 0x41, count: 65_535) + [0x0A]

    @Test func `a slow reader loses whole pieces, which are counted, and gets the rest in order`()
        async throws
    {
        let (outbox, reader) = try Self.socket(limit: 0)
        var sent = 0
        while outbox.droppedCount < 10 {
            outbox.send(droppable: Self.piece)
            sent += 1
        }
        // The rest of a partly sent piece, and the newest pieces.
        #expect(outbox.pendingCount <= 2 * Self.piece.count)
        #expect(outbox.droppedByteCount == 10 * Self.piece.count)
        var received: [UInt8] = []
        while received.count < (sent - 10) * Self.piece.count,
            case .bytes(let bytes) = await reader.read(atMost: 1 << 20, until: nil)
        {
            received += bytes
        }
        #expect(received.split(separator: 0x0A).allSatisfy { $0.count == Self.piece.count - 1 })
        try await outbox.finish()
        #expect(outbox.pendingCount == 0)
    }

    @Test func `a disconnected reader is reported once and causes no wait`() async throws {
        let failures = Witness<CInt>()
        let (outbox, reader) = try Self.socket(limit: 1 << 20) { failures.note($0) }
        for _ in 0..<8 { outbox.send(kept: Self.piece) }
        reader.close()
        _ = await failures.first(1)
        outbox.send(kept: Self.piece)
        await #expect(throws: IOError.self) { try await outbox.finish() }
        #expect(failures.all.count == 1 && outbox.pendingCount == 0)
    }

    @Test func `a reader that reads nothing is disconnected after a timeout`() async throws {
        let clock = TestClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let failures = Witness<CInt>()
        let (outbox, reader) = try Self.socket(
            limit: 1 << 20, timeout: .seconds(180), poller: poller
        ) { failures.note($0) }
        for _ in 0..<8 { outbox.send(kept: Self.piece) }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(180))
        #expect(await failures.first(1) == [ETIMEDOUT])
        withExtendedLifetime(reader) {}
    }

    @Test func `waiting for room ends when the task is cancelled or the outbox is closed`()
        async throws
    {
        let (outbox, reader) = try Self.socket(limit: 1000)
        for _ in 0..<8 { outbox.send(kept: Self.piece) }
        let cancelled = Task { await outbox.waitForRoom(for: 1) }
        cancelled.cancel()
        await cancelled.value
        async let closed: Void = outbox.waitForRoom(for: 1)
        outbox.close()
        await closed
        #expect(outbox.pendingCount == 0)
        withExtendedLifetime(reader) {}
    }
}

/// The queue of bytes for a slow client.
@Suite(.timeLimit(.generous))
struct OutputQueueTests {
    @Test func `bytes leave in order for every size of write`() {
        var queue = OutputQueue(limit: 100)
        queue.append(kept: Array("one\n".utf8))
        queue.append(droppable: Array("two\n".utf8))
        queue.append(droppable: Array("three\n".utf8))
        var sent: [UInt8] = []
        while !queue.isEmpty {
            var room = 3
            queue.drain { bytes in
                let taken = bytes.prefix(room)
                room -= taken.count
                sent += taken
                return taken.count
            }
        }
        #expect(String(decoding: sent, as: UTF8.self) == "one\ntwo\nthree\n")
        #expect(queue.droppedCount == 0)
    }

    @Test
    func `without room the oldest reports are dropped, but no replies and no partly sent message`()
    {
        var queue = OutputQueue(limit: 12)
        queue.append(droppable: Array("aaaa\n".utf8))
        queue.drain { _ in 0 }
        var isFirst = true
        queue.drain { _ in
            defer { isFirst = false }
            return isFirst ? 1 : 0
        }
        queue.append(kept: Array("reply\n".utf8))
        for letter in ["b", "c", "d", "e"] {
            queue.append(droppable: Array("\(letter)\(letter)\n".utf8))
        }
        var rest: [UInt8] = []
        queue.drain {
            rest += $0
            return $0.count
        }
        #expect(String(decoding: rest, as: UTF8.self) == "aaa\nreply\nee\n")
        #expect(queue.droppedCount == 3)
        #expect(queue.count == 0)
    }
}
