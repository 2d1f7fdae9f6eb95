// SPDX-License-Identifier: MIT

/// The command `read`.
struct ReadCommand: Command {
    static let name = "read"
    static let summary = "Print the fixes of a fleet as JSON of gpsd."
    static let words = "URL"
    static let options: [CommandOption<ReadCommand>] = []

    init() {}

    func run() async throws {
        throw UsageError("`read` is not there yet")
    }
}
