// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

extension CommandRun {
    /// Runs `gpsbridge`; expects that its last message contains a text, and that it ends with a status.
    static func expectFailure(
        _ words: [String], status: CInt, _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await CommandRun(words: words)
        let messages = try await run.messages()
        #expect(
            messages.last?.contains(text) == true, "\(messages)", sourceLocation: sourceLocation)
        #expect(await run.status() == status, sourceLocation: sourceLocation)
    }
}
