// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct RateMemoryTests {
    private let slow = LineSettings(.nmea, .sevenN2)

    @Test func `a found rate is available to the next process`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state/gpsbridge")
        let memory = RateMemory(folder: path)
        memory.remember(slow, of: "067b:2303:pci 1")
        memory.remember(LineSettings(.default), of: "1-4.2:0")
        memory.save()
        let next = RateMemory(folder: path)
        #expect(next.settings(of: "067b:2303:pci 1") == slow)
        #expect(next.settings(of: "1-4.2:0") == LineSettings(.default))
        #expect(next.settings(of: "other") == nil)
    }

    @Test func `two processes preserve each other's receivers`() throws {
        let folder = try TemporaryFolder()
        let (one, other) = (RateMemory(folder: folder.path), RateMemory(folder: folder.path))
        #expect(one.settings(of: "a") == nil && other.settings(of: "a") == nil)
        one.remember(slow, of: "a")
        one.save()
        other.remember(slow, of: "b")
        other.save()
        let next = RateMemory(folder: folder.path)
        #expect(next.settings(of: "a") == slow && next.settings(of: "b") == slow)
    }

    @Test(arguments: ["", "9600", "\u{0}\n4800 8\n-1 8 key\nfast 8 key", "9600 8"])
    func `a damaged file is ignored`(text: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("rates", Array(text.utf8))
        let memory = RateMemory(folder: folder.path)
        #expect(memory.settings(of: "key") == nil)
        memory.remember(slow, of: "key")
        #expect(memory.settings(of: "key") == slow)
        memory.save()
        #expect(RateMemory(folder: folder.path).settings(of: "key") == slow)
    }

    @Test(arguments: ["/proc/no/such/folder", nil])
    func `settings stay in memory if the file cannot be written`(folder: String?) {
        let memory = RateMemory(folder: folder)
        memory.remember(slow, of: "key")
        memory.save()
        #expect(memory.settings(of: "key") == slow)
    }

    @Test func `saved settings are not written again`() async throws {
        let path: String
        let memory: RateMemory
        do {
            let folder = try TemporaryFolder()
            path = folder.path
            memory = RateMemory(folder: path)
            memory.remember(slow, of: "key")
            memory.save()
        }
        memory.save(ifPending: true)
        #expect(readFile(path + "/rates") == [])
    }

    @Test func `the receivers seen last are remembered`() throws {
        let folder = try TemporaryFolder()
        let memory = RateMemory(folder: folder.path)
        for number in 0..<300 { memory.remember(slow, of: "\(number)") }
        memory.save()
        let next = RateMemory(folder: folder.path)
        #expect(next.settings(of: "0") == nil && next.settings(of: "299") == slow)
    }
}

@Suite(.timeLimit(.generous))
struct RateFindingReaderTests {
    @Test func `the next reader of a line with seven data bits does not search again`()
        async throws
    {
        let terminal = try PseudoTerminal()
        let connection = try SerialSource(terminal.path).listen(to: nil)
        defer { connection.close() }
        let text = ScriptedReceiver.epoch(0)
        let bytes = text.map { $0 | 0x80 }
        await terminal.write(bytes)
        var reader = RateFindingReader(connection, poller: .shared)
        let isFound = try await reader.findRate()
        #expect(isFound)

        let search = try #require(connection.search)
        let now = MonotonicInstant.now
        var next = RateDetection(search, at: now)
        _ = next.received(search.received, at: now)
        #expect(next.hasFound)
        #expect(next.received(bytes, at: now).bytes == text)
    }
}
