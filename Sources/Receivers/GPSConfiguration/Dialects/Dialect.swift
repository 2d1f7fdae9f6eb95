// SPDX-License-Identifier: MIT
import GNSS

/// The configuration commands of a family of receivers. Each dialect has its own file.
protocol Dialect: Sendable {
    /// The receiver's state. Values that have not been read are `nil` or empty.
    var state: ReceiverState { get }

    /// A request that the receiver answers regardless of its settings.
    var probe: Exchange { get }

    /// The highest baud rate that the receiver supports.
    var largestBaudRate: Int { get }

    /// Advice for the user if the receiver confirms a rate but does not apply it; `nil` if none is
    /// known.
    var rateRemedy: String? { get }

    /// Prepares `nextRead`, so that it reads the state that `request` needs, even if that has been
    /// read before. The baud rate of `line` may have changed since the dialect was created.
    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine)

    /// Prepares `nextRead`, so that it reads only the settings that `steps` have changed. All other
    /// values are kept. This saves time, because on a line without spare capacity each answer takes
    /// a second or more.
    mutating func beginRereading(_ steps: [ConfigurationStep], line: ConfigurationLine)

    /// Returns the next request; `nil` when the state has been read.
    mutating func nextRead() -> Exchange?

    /// Handles the reply to a request from `nextRead`.
    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome)

    /// Records the names of the messages that were received before any change, for receivers that
    /// do not report which messages they send. `nextRead` may then return more requests.
    mutating func observe(_ messages: [String])

    /// Records the fixes per second that were measured before any change, for receivers that do not
    /// report the rate at which they send.
    mutating func observe(rate measured: Double)

    /// Whether the messages of `state` may be incomplete, because the receiver did not answer a
    /// request for the interval of a message.
    var lacksMessages: Bool { get }

    /// Returns the steps that change every requested setting whose value differs, in sending order.
    /// A step that changes the baud rate has its `baudRate` set.
    func steps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep]

    /// Returns the names of the messages in a selection. The values are intervals: 1 sends the
    /// message with every fix, 2 with every second fix.
    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int]

    /// The names of the messages that a check of Galileo's signatures needs, and that of the
    /// receiver's own check; empty if the receiver does not send Galileo's navigation messages.
    var signatureMessages: [String] { get }

    /// Returns the ways to save the settings of a request, in order of preference. The first one
    /// that the receiver accepts is used. If the request contains messages to send unchanged, these
    /// may have changed any setting, so all settings are saved.
    func savings(
        of request: ConfigurationRequest
    ) throws(ConfigurationError) -> [ConfigurationSaving]

    /// Returns the request for a hot, warm or cold start.
    func restart(
        _ restart: ConfigurationRequest.Restart
    ) throws(ConfigurationError) -> Exchange

    /// Returns the requests that restore the factory settings.
    func factoryReset() throws(ConfigurationError) -> [Exchange]

    /// Returns the requests that restore every value that was read, in sending order; empty if the
    /// dialect cannot restore them.
    func restoration() -> [ConfigurationJournal.Undo]
}

/// A request that changes settings.
struct ConfigurationStep: Hashable, Sendable {
    /// The name of the changed setting, for texts that the user reads.
    var title: String
    /// The request to send.
    var command: [UInt8]
    /// The request that restores the previous setting; `nil` if it is not known.
    var undo: [UInt8]?
    /// Whether `undo` restores only some of the previous values, because the others are not known.
    var isUndoPartial = false
    /// The baud rate that the step sets; `nil` if it sets none.
    var baudRate: Int?
    /// How long to wait before the next request.
    var settling = Duration.zero
    /// The probable reason if the receiver refuses the request, for the error message; `nil` if
    /// none is known.
    var refusal: String?
    /// Whether the session continues if the receiver refuses the request. The receiver may already
    /// have the new setting, which shows when the settings are read again.
    var isOptional = false

    /// Whether `undo` restores everything that the request changes.
    var isRestorable: Bool { undo != nil && !isUndoPartial }
}

/// The requests that save settings, and a description of where they are saved.
struct ConfigurationSaving: Hashable, Sendable {
    var requests: [[UInt8]]
    var saved: ConfigurationResult.Saved
    /// Advice for the user if the receiver does not save the settings; `nil` if none is known.
    var remedy: String?
}

extension Dialect {
    /// By default, 921,600 baud.
    var largestBaudRate: Int { 921_600 }

    var rateRemedy: String? { nil }

    /// By default, `false`: no request for an interval remains unanswered.
    var lacksMessages: Bool { false }

    /// By default, empty.
    var signatureMessages: [String] { [] }

    /// By default, prepares `nextRead` to read all settings again.
    mutating func beginRereading(_ steps: [ConfigurationStep], line: ConfigurationLine) {
        beginReading(ConfigurationRequest(), line: line)
    }

    mutating func observe(_ messages: [String]) {}

    mutating func observe(rate measured: Double) {}

    /// Creates an error whose message names this receiver.
    func error(
        _ code: ConfigurationError.Code, _ reason: String, remedy: String? = nil
    ) -> ConfigurationError {
        ConfigurationError(code, chip: state.identity.description, reason, remedy: remedy)
    }

    /// Creates an error for a rate outside of `allowed`, in fixes per second.
    func impossible(rate: Double, among allowed: ClosedRange<Double>) -> ConfigurationError {
        func text(_ rate: Double) -> String { TOMLValue.number(rate).text }
        let limit =
            rate > allowed.upperBound
            ? "at most \(text(allowed.upperBound))" : "at least \(text(allowed.lowerBound))"
        return error(.unsupported, "\(text(rate)) fixes per second are not possible: use \(limit)")
    }

    /// Creates an error for a setting that the receiver does not have, or that gpsbridge has no
    /// command for.
    func unsupported(_ action: String, because reason: String) -> ConfigurationError {
        error(
            .unsupported, "cannot \(action): \(reason)",
            remedy: "use --send FILE with a message from the manufacturer's manual")
    }
}

extension ReceiverIdentity {
    /// Returns the dialect of the receiver's family.
    func dialect(on line: ConfigurationLine) -> any Dialect {
        switch family {
        case .ublox: UBXDatabaseDialect(self, line: line)
        case .ubloxLegacy: UBXLegacyDialect(self, line: line)
        case .casic: CommandDialect(self, .casic, line: line)
        case .mediaTek: CommandDialect(self, .mediaTek, line: line)
        case .airoha: CommandDialect(self, .airoha, line: line)
        case .quectel: CommandDialect(self, .quectel, line: line)
        case .unicore: CommandDialect(self, .unicore, line: line)
        case .unidentified: CommandDialect(self, .unidentified, line: line)
        }
    }
}
