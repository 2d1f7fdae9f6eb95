// SPDX-License-Identifier: MIT

/// The command `collect`.
struct CollectCommand: Command {
    static let name = "collect"
    static let summary = "Write the fixes of a fleet to a database."
    static let words = ""
    static let options: [CommandOption<CollectCommand>] = []

    init() {}

    func run() async throws {
        throw UsageError("`collect` is not there yet")
    }
}
