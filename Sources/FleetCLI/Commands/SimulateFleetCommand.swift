// SPDX-License-Identifier: MIT

/// The command `simulate`.
struct SimulateFleetCommand: Command {
    static let name = "simulate"
    static let summary = "Publish the fixes of many simulated receivers."
    static let words = ""
    static let options: [CommandOption<SimulateFleetCommand>] = []

    init() {}

    func run() async throws {
        throw UsageError("`simulate` is not there yet")
    }
}
