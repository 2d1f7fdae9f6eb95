// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Testing

/// The example of a consumer in `docs/architecture.md`.
@Suite(.timeLimit(.generous))
struct FixStateFeedTests {
    private let lines = Witness<String>()
    private let messages = Witness<String>()

    /// Reads a source to its end, and returns whether it ended without an error.
    private func read(_ source: some DeviceSource) async throws -> Bool {
        let destination = Outbox.Destination.background(.shared) { [lines] bytes in
            for line in bytes.split(separator: 0x0A) {
                lines.note(String(decoding: line, as: UTF8.self))
            }
            return 0
        }
        let log = MessageLog { [messages] text, _ in messages.note(text) }
        return try await FixStateFeed(source, to: destination, log: log).run(in: ReceiverPool())
    }

    @Test func `each change of the fix is one line, with the origin of the data`() async throws {
        let epochs = [
            ScriptedReceiver.epoch(0, quality: .invalid), ScriptedReceiver.epoch(1),
            ScriptedReceiver.epoch(2), ScriptedReceiver.epoch(3, quality: .rtkFixed),
        ]
        #expect(try await read(BytesSource(epochs.flatMap(\.self))))
        #expect(
            lines.all == [
                "no fix (replay)", "3D, satellites alone (replay)", "3D, RTK fixed (replay)",
                "no data",
            ])
        #expect(messages.all == [])
    }

    @Test func `a named tty that is missing is an error, which is not logged`() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: DeviceError.self) {
            try await read(SerialSource(folder.path("gps")))
        }
        #expect(messages.all == [])
    }

    @Test func `docs/architecture.md shows this code`() throws {
        let code = try PackageFile.text("Tests/GPSReceiversTests/Receiver/FixStateFeed.swift")
            .split(separator: "\n", maxSplits: 1)
        let page = try PackageFile.text("docs/architecture.md")
        #expect(page.contains("```swift\n\(try #require(code.last))```\n"))
    }
}
