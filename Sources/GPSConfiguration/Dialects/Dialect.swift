// SPDX-License-Identifier: MIT

/// The commands of a family of receivers: a file each.
protocol Dialect: Sendable {
    /// The state of the receiver, as far as it has been read.
    var state: ReceiverState { get }

    /// A request that the receiver answers whatever its settings are.
    var probe: Exchange { get }

    /// The highest rate of its line.
    var largestBaudRate: Int { get }

    /// Starts to read the state, again if it was read before, over a line whose rate may have changed.
    mutating func beginReading(storedValues: Bool, line: ConfigurationLine)

    /// The next request; `nil` when the state is read.
    mutating func nextRead() -> Exchange?

    /// Evaluates the reply to a request of `nextRead`.
    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome)

    /// Takes the messages that were received before anything was changed, for receivers that do not
    /// report what they send.
    mutating func observe(_ messages: [String])

    /// Returns the requests that change what differs from `wish`, in the order of sending. Those that
    /// set the rate of the line are found by their `baudRate`.
    func steps(to wish: ReceiverConfiguration) throws(ConfigurationError) -> [ConfigurationStep]

    /// The messages of a selection, with the number of fixes per message.
    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int]

    /// Returns ways to save settings; the first that is accepted counts.
    func savings(of wish: ReceiverConfiguration) throws(ConfigurationError) -> [ConfigurationSaving]

    /// Returns a request that restarts the search for satellites.
    func restart(
        _ restart: ConfigurationRequest.Restart
    ) throws(ConfigurationError) -> Exchange

    /// Returns the requests that return to the settings of the maker.
    func factoryReset() throws(ConfigurationError) -> [Exchange]

    /// Returns requests that restore everything that was read.
    func restoration() -> [ConfigurationJournal.Undo]
}

/// A request that changes settings.
struct ConfigurationStep: Hashable, Sendable {
    /// The name of the changed setting, for messages.
    var title: String
    /// The request.
    var command: [UInt8]
    /// The request that restores what was; `nil` if that is not known.
    var undo: [UInt8]?
    /// The rate of the line that it sets.
    var baudRate: Int?
    /// How long to leave the receiver alone afterwards.
    var settling = Duration.zero
    /// The consequence of a refusal.
    var refusal: String?
}

/// A way to save settings.
struct ConfigurationSaving: Hashable, Sendable {
    var requests: [[UInt8]]
    var saved: ConfigurationReport.Saved
}

extension Dialect {
    /// The highest rate that the lines of most receivers have.
    var largestBaudRate: Int { 921_600 }

    mutating func observe(_ messages: [String]) {}

    /// An error of this receiver.
    func error(
        _ code: ConfigurationError.Code, _ reason: String, remedy: String? = nil
    ) -> ConfigurationError {
        ConfigurationError(code, chip: state.identity.description, reason, remedy: remedy)
    }

    /// An error for a setting that the receiver does not have, or that is not known here.
    func unsupported(_ setting: String, because reason: String) -> ConfigurationError {
        error(
            .unsupported, "cannot set \(setting): \(reason)",
            remedy: "a file of --send can have any message of the maker's manual")
    }
}
