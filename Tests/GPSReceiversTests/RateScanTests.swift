// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

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
