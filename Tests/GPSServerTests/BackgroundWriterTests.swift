// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct BackgroundWriterTests {
    private struct Full: Error {}

    /// A writer of a disk that does not answer before its gate is open.
    private struct Disk {
        let gate = Gate()
        let begun = Witness<Void>()
        let written = Witness<[UInt8]>()
        let failures = Witness<any Error>()
        let flow = FlowControl()

        func writer(
            head: String = "", limit: Int = 1 << 20, poller: Poller = .shared,
            failure: (any Error)? = nil
        ) -> BackgroundWriter {
            BackgroundWriter(head: Array(head.utf8), limit: limit, flow: flow, poller: poller) {
                bytes in
                begun.note(())
                gate.pass()
                written.note(bytes)
                return failure
            } onFailure: {
                failures.note($0)
            }
        }

        var text: String { String(decoding: written.all.flatMap(\.self), as: UTF8.self) }
    }

    @Test func `without a report nothing waits to be written, not even the head`() async throws {
        let disk = Disk()
        let writer = disk.writer(head: "head\n")
        try await writer.finish()
        #expect(writer.pendingCount == 0 && disk.text.isEmpty)
    }

    @Test func `a report is appended while the disk does not answer, and all are written in order`()
        async throws
    {
        let disk = Disk()
        let writer = disk.writer(head: "head\n")
        for line in ["one\n", "two\n", "three\n"] {
            writer.append(Array(line.utf8), canWait: false)
        }
        _ = await disk.begun.first(1)
        writer.append(Array("four\n".utf8), canWait: false)
        #expect(disk.written.all.isEmpty)
        disk.gate.open()
        try await writer.finish()
        #expect(disk.text == "head\none\ntwo\nthree\nfour\n")
        #expect(writer.pendingCount == 0)
        #expect(writer.droppedCount == 0)
        // It writes again after it has had nothing to write.
        writer.append(Array("five\n".utf8), canWait: false)
        try await writer.finish()
        #expect(disk.text.hasSuffix("four\nfive\n"))
    }

    @Test func `the oldest reports are dropped, and counted, where the disk is too slow`()
        async throws
    {
        let disk = Disk()
        let writer = disk.writer(limit: 20)
        writer.append(Array("first\n".utf8), canWait: false)
        _ = await disk.begun.first(1)
        for number in 0..<9 { writer.append(Array("line \(number)\n".utf8), canWait: false) }
        disk.gate.open()
        try await writer.finish()
        #expect(disk.text == "first\nline 7\nline 8\n")
        #expect(writer.droppedCount == 7)
    }

    @Test func `a source that can pause does so while much waits, and loses nothing`() async throws
    {
        let disk = Disk()
        let writer = disk.writer(limit: 20)
        let line = [UInt8](repeating: 0x41, count: 1 << 16)
        writer.append(line, canWait: true)
        _ = await disk.begun.first(1)
        for _ in 0..<4 { writer.append(line, canWait: true) }
        #expect(disk.flow.isClear)
        writer.append(line, canWait: true)
        #expect(!disk.flow.isClear)
        disk.gate.open()
        await disk.flow.waitUntilClear()
        try await writer.finish()
        #expect(disk.written.all.map(\.count).reduce(0, +) == 6 << 16)
    }

    @Test func `the end waits for the disk although its task is cancelled, until a deadline`()
        async throws
    {
        let disk = Disk()
        let clock = TestClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let writer = disk.writer(poller: poller)
        writer.append(Array("one\n".utf8), canWait: false)
        _ = await disk.begun.first(1)
        let end = Task {
            try await writer.finish(until: poller.now + .seconds(5))
            return writer.pendingCount
        }
        end.cancel()
        await clock.waitForSleeper()
        clock.advance(by: .seconds(5))
        #expect(try await end.value == 4)
        let second = Task {
            try await writer.finish(until: poller.now + .seconds(5))
            return writer.pendingCount
        }
        second.cancel()
        disk.gate.open()
        #expect(try await second.value == 0)
        #expect(disk.text == "one\n")
    }

    @Test func `what cannot be written is reported once, and nothing is written after it`()
        async throws
    {
        let disk = Disk()
        let writer = disk.writer(failure: Full())
        disk.gate.open()
        writer.append(Array("one\n".utf8), canWait: true)
        _ = await disk.failures.first(1)
        writer.append(Array("two\n".utf8), canWait: true)
        await #expect(throws: Full.self) { try await writer.finish() }
        #expect(disk.text == "one\n")
        #expect(disk.failures.all.count == 1)
        #expect(writer.pendingCount == 0)
    }
}
