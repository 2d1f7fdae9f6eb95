// SPDX-License-Identifier: MIT

/// The command `fleet`.
struct FleetCommand: Command {
    static let name = "fleet"
    static let summary = "List the members of a fleet."
    static let words = ""
    static let options: [CommandOption<FleetCommand>] = []

    init() {}

    func run() async throws {
        throw UsageError("`fleet` is not there yet")
    }
}
