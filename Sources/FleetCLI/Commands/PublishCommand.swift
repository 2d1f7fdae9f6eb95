// SPDX-License-Identifier: MIT

/// The command `publish`.
struct PublishCommand: Command {
    static let name = "publish"
    static let summary = "Send fixes to NATS or MQTT, and lose none while offline."
    static let words = "[SOURCE...]"
    static let options: [CommandOption<PublishCommand>] = []

    init() {}

    func run() async throws {
        throw UsageError("`publish` is not there yet")
    }
}
