// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The changes that a session makes. An empty request only reads the state.
public struct ConfigurationRequest: Hashable, Sendable {
    /// The kind of restart, by the data that the receiver keeps.
    public enum Restart: String, CaseIterable, Sendable {
        /// Keeps all data.
        case hot
        /// Clears the ephemerides.
        case warm
        /// Clears all received data.
        case cold
    }

    /// The requested settings. Only settings that differ from those in effect are sent.
    public var configuration = ReceiverConfiguration()
    /// Whether to save the settings in permanent memory after they have been verified.
    public var saves = false
    /// The restart after all other steps; `nil` for none.
    public var restart: Restart?
    /// Whether to restore the factory settings first.
    public var resetsToFactory = false
    /// The messages to send unchanged. The session fails if the receiver does not accept one.
    public var messages: [DescribedMessage] = []
    /// Whether to report what would be done, and change nothing.
    public var isDryRun = false
    /// Whether to read the stored settings, too, such as those in flash.
    package var readsStoredValues = false
    /// Whether to leave the messages out of the reported state if no requested change depends on
    /// them. An M8 then answers 28 fewer requests, and an F9P about nine. On a line without spare
    /// capacity, that saves half a minute.
    package var omitsUnusedMessages = false
    /// The messages that `completed(for:)` has added or removed. Of the messages, only these are
    /// saved; all of them if it is empty.
    var addedMessages: Set<String> = []
    /// The journal of an interrupted session. If set, the session only undoes that session's
    /// changes.
    package var journal: ConfigurationJournal?

    /// Creates a request that only reads the state.
    public init() {}

    /// Whether the request only reads the state.
    package var isReadOnly: Bool {
        configuration.isEmpty && !saves && restart == nil && !resetsToFactory && messages.isEmpty
    }

    /// Whether the request only sends `messages`, and changes no settings itself.
    var onlySendsMessages: Bool {
        var rest = self
        rest.messages = []
        return rest.isReadOnly && !isReadOnly
    }

    /// Whether the messages that the receiver sends have to be read. Messages, rate, constellations
    /// and baud rate determine the load of the line, and a factory reset restores all settings.
    var needsMessages: Bool {
        !omitsUnusedMessages || configuration.isEmpty || resetsToFactory || readsStoredValues
            || configuration.rate != nil || configuration.messages != nil
            || configuration.constellations != nil || configuration.baudRate != nil
            || configuration.galileoAuthentication != nil
    }

    /// Returns the request with the messages that the requested check of Galileo's signatures needs,
    /// beside those that the receiver sends. Switching it off removes them, unless the request lists
    /// its messages.
    func completed(for dialect: any Dialect) throws(ConfigurationError) -> ConfigurationRequest {
        guard let isOn = configuration.galileoAuthentication else { return self }
        var request = self
        let (needed, state) = (dialect.signatureMessages, dialect.state.configuration)
        guard !needed.isEmpty else {
            guard !isOn else {
                throw dialect.error(.unsupported, "does not send Galileo's navigation messages")
            }
            request.configuration.galileoAuthentication = nil
            return request
        }
        let constellations = configuration.constellations ?? state.constellations
        guard !isOn || constellations?.contains(.galileo) != false else {
            throw dialect.error(
                .unsupported, "does not use Galileo",
                remedy: "add --constellations with galileo, such as gps,galileo")
        }
        guard let messages = configuration.messages ?? state.messages else {
            throw dialect.error(
                .noAnswer, "did not report which messages it sends", remedy: "add --messages")
        }
        var list = try dialect.messages(of: messages)
        var names = needed
        if isOn {
            // The result is about the satellites that the fix uses.
            if !list.keys.contains(where: Self.satelliteLists.contains) { names.append("NAV-SAT") }
            for name in names { list[name] = 1 }
        } else if configuration.messages == nil {
            for name in names { list[name] = nil }
        }
        if configuration.messages == nil { request.addedMessages = Set(names) }
        request.configuration.messages = .list(list)
        return request
    }

    /// The messages that name the satellites used.
    static let satelliteLists: Set = ["GSA", "NAV-SAT", "NAV-SIG"]
}

/// The line to a receiver.
package struct ConfigurationLine: Hashable, Sendable {
    /// The baud rate; `nil` for a line without one, such as native USB or a network connection.
    package var baudRate: Int?
    /// Whether the line is the chip's own USB port.
    var isNativeUSB: Bool
    /// The baud rates at which the receiver has sent no messages.
    package var searchedRates: [Int] = []

    package init(baudRate: Int?, isNativeUSB: Bool = false) {
        (self.baudRate, self.isNativeUSB) = (baudRate, isNativeUSB)
    }
}

extension ConfigurationLine {
    /// Returns how long to wait for the reply to a request. On a slow line, the output of a whole
    /// epoch delays every reply, so short timeouts are extended.
    func timeout(of exchange: Exchange) -> Duration {
        if exchange.reply.isNone { return exchange.settling }
        if (baudRate ?? 115_200) < 38400 {
            return max(exchange.timeout ?? .zero, .milliseconds(2500))
        }
        return exchange.timeout ?? .milliseconds(1500)
    }
}

/// The final result of a session.
package enum ConfigurationOutcome: Hashable, Sendable {
    /// The session succeeded.
    case done(ConfigurationResult)
    /// The session failed.
    case failed(ConfigurationError, ConfigurationRollback)
}

/// Which settings the receiver has after a failure.
package enum ConfigurationRollback: Hashable, Sendable {
    /// Nothing had been changed.
    case unchanged
    /// The previous settings are in effect again.
    case restored
    /// The previous settings are in effect again, except those that the receiver had not reported
    /// or that a factory reset has replaced.
    case partlyRestored
    /// The new settings work and remain in effect, but a later step failed.
    case kept
    /// The previous settings have not been restored. They are in a journal file, from which the
    /// program restores them when it is started the next time.
    case pending
}

/// The result of a session: the state that it read, its changes and its measurements.
public struct ConfigurationResult: Hashable, Sendable {
    /// Where and how long settings are saved.
    public struct Saved: Hashable, Sendable {
        /// The memory that contains the settings.
        public var storage: ReceiverState.Storage
        /// An explanation of how long the settings are kept, for the user.
        public var explanation: String
    }

    /// The state before the session.
    public var before: ReceiverState?
    /// The state after the session, as read back. It equals the state before if nothing was
    /// changed.
    public var after: ReceiverState?
    /// The settings that were changed, or would be changed in a dry run.
    public var changes: [ConfigurationChange] = []
    /// The result of saving; `nil` if settings were not saved.
    public var saved: Saved?
    /// Warnings for the user.
    public var warnings: [String] = []
    /// The fixes per second, measured in the stream; `nil` if too few were received.
    public var measuredRate: Double?
    /// The receiver's answers to the messages of the request, in order, one line each.
    public var answers: [String] = []

    /// Whether the receiver is a u-blox chip.
    package var isOfUBlox: Bool {
        [.ublox, .ubloxLegacy].contains((after ?? before)?.identity.family)
    }
}

/// The error of a failed configuration: the receiver, the reason and advice.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A short description.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The receiver did not answer any version request, or stopped answering later.
        public static let noAnswer = Code(rawValue: "no answer")
        /// The receiver does not support the setting.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The receiver refused the request.
        public static let refused = Code(rawValue: "refused")
        /// The serial line is too slow for the messages.
        public static let lineTooSlow = Code(rawValue: "line too slow")
        /// The receiver confirmed the request but did not apply it.
        public static let notApplied = Code(rawValue: "not applied")
        /// The receiver sent no valid message after a change, or no longer answers.
        public static let silenced = Code(rawValue: "silenced")
        /// The request could damage or lock the receiver, and is never sent.
        public static let forbidden = Code(rawValue: "forbidden")
        /// The journal belongs to another receiver, or another one was connected during a change.
        public static let anotherReceiver = Code(rawValue: "another receiver")
        /// The receiver can't be opened or written.
        public static let unavailable = Code(rawValue: "unavailable")
        /// A file is malformed.
        public static let malformedFile = Code(rawValue: "malformed file")
    }

    /// The kind of failure.
    public let code: Code
    /// The receiver, such as `u-blox M8 (SPG 3.01)`; `nil` if it is not known.
    public let chip: String?
    /// The reason of the failure.
    public let reason: String
    /// Advice for the user; `nil` if there is none.
    public let remedy: String?

    /// Creates an error.
    public init(_ code: Code, chip: String? = nil, _ reason: String, remedy: String? = nil) {
        (self.code, self.chip, self.reason, self.remedy) = (code, chip, reason, remedy)
    }

    /// The chip, the reason and the advice.
    public var description: String {
        (chip.map { "\($0): " } ?? "") + reason + (remedy.map { "; \($0)" } ?? "")
    }
}

extension TOMLDocument {
    /// Parses the TOML text of a settings file.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`; the message contains the line and the
    ///   column.
    init(settings text: String) throws(ConfigurationError) {
        do {
            self = try TOMLDocument(text)
        } catch {
            throw ConfigurationError(.malformedFile, error.description)
        }
    }
}

extension ConfigurationError {
    /// Creates an error about the value of an entry; the message contains its line and column.
    init(_ reason: String, at entry: TOMLDocument.Entry) {
        self.init(.malformedFile, TOMLError(reason, entry.line, entry.column).description)
    }
}

/// Texts about a session for users of `configure` and of a server.
package enum ConfigurationText {
    /// Returns a line for the user about the progress of a request; `nil` if there is nothing to
    /// report.
    package static func text(
        _ progress: ConfigurationProgress, of request: ConfigurationRequest
    ) -> String? {
        switch progress {
        case .identified(let identity): "found \(identity)"
        case .reading(let seconds, 0):
            "reading the settings for \(seconds) s: the receiver has not answered any request yet"
        case .reading(let seconds, let answers):
            "reading the settings for \(seconds) s: \(answers) answers so far, because the line is slow"
        case .state, .verifying: nil
        case .changes(let changes) where request.isDryRun: plan(changes, of: request)
        case .changes([]): nothingToChange
        case .changes(let changes): "changing " + list(changes)
        case .changing: nil
        case .lost: ReceiverModel.lossMessage("the receiver")
        case .restoring(let error): "restoring the previous settings: \(error)"
        case .recovered(nil): "undid an interrupted change to the receiver's settings"
        case .recovered(let error?):
            "could not undo an interrupted change to the receiver's settings: \(error)"
        }
    }

    private static let nothingToChange = "nothing to change"

    private static func list(_ changes: [ConfigurationChange]) -> String {
        changes.map(\.description).joined(separator: "; ")
    }

    /// Returns a description of the actions that a request would perform, in the order in which a
    /// session performs them.
    private static func plan(
        _ changes: [ConfigurationChange], of request: ConfigurationRequest
    ) -> String {
        var actions: [String] = []
        if request.resetsToFactory { actions.append("restore the factory settings") }
        if !changes.isEmpty { actions.append("change " + list(changes)) }
        let count = request.messages.count
        if count > 0 { actions.append(count == 1 ? "send a message" : "send \(count) messages") }
        if request.saves { actions.append("save the settings") }
        if let restart = request.restart { actions.append("make a \(restart.rawValue) start") }
        return actions.isEmpty
            ? nothingToChange : "would " + actions.joined(separator: ", then ")
    }

    /// Returns the text that is appended to an error to explain the receiver's state.
    package static func text(_ rollback: ConfigurationRollback) -> String {
        switch rollback {
        case .unchanged: " (nothing was changed)"
        case .restored: " (the previous settings are in effect again)"
        case .partlyRestored:
            " (the previous settings are in effect again, except those that the receiver does not "
                + "report; those that were reset have their factory values)"
        case .kept: " (changes made before this error remain in effect)"
        case .pending: " (gpsbridge restores the previous settings when it is started again)"
        }
    }

    /// Returns lines with the settings in effect, the settings that differ in other memories, and
    /// the results of the request. If the request was more than to read the settings, the last line
    /// says what was done.
    package static func lines(
        _ report: ConfigurationResult, after request: ConfigurationRequest
    ) -> [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            lines.append(line(name, value))
        }
        if let state = report.after ?? report.before {
            add("receiver", "\(state.identity)")
            // As u-blox and ubxtool write it: 34.10.
            add("protocol", state.identity.protocolVersion.map { String($0, decimals: 2) })
            add("port", state.port)
            for setting in settings(state.configuration) {
                add(setting.name, ConfigurationChange.plain(setting.new))
            }
            if state.configuration.messages == nil, !request.needsMessages {
                add("messages", "not read; gpsbridge configure without options lists them")
            }
            for port in state.ports { add(port.name, text(port)) }
            for storage in ReceiverState.Storage.allCases {
                guard let stored = state.stored[storage] else { continue }
                let others = state.configuration.differences(to: stored)
                let text = others.map { "\($0.name) \(ConfigurationChange.plain($0.new))" }
                    .joined(separator: "; ")
                add("in \(storage.rawValue)", others.isEmpty ? "the same settings" : text)
            }
        }
        add("measured", report.measuredRate.map { "\(String($0, decimals: 1)) fixes per second" })
        for answer in report.answers { add("answer", answer) }
        if let saved = report.saved { add("saved", saved.explanation) }
        add("done", done(report, request))
        return lines
    }

    /// Returns what a request has done, and whether the settings were saved; `nil` if it only read
    /// them.
    private static func done(
        _ report: ConfigurationResult, _ request: ConfigurationRequest
    ) -> String? {
        guard !request.isReadOnly else { return nil }
        guard !request.isDryRun else { return "nothing was changed, because of --dry-run" }
        var actions: [String] = []
        if request.resetsToFactory { actions.append("restored the factory settings") }
        if !report.changes.isEmpty {
            actions.append("changed " + report.changes.map(\.name).joined(separator: ", "))
        }
        let count = request.messages.count
        if count > 0 { actions.append("sent " + Plural.text(count, "message")) }
        if report.saved != nil { actions.append("saved the settings") }
        if let restart = request.restart { actions.append("made a \(restart.rawValue) start") }
        let result = actions.isEmpty ? "nothing to change" : actions.joined(separator: ", then ")
        let isLost = report.saved == nil && !report.changes.isEmpty
        return result
            + (isLost ? "; not saved, so it lasts until the receiver loses power (--save)" : "")
    }

    /// Returns lines about the warm start data that is stored for the receiver.
    package static func lines(_ data: WarmStartData) -> [String] {
        let fixes = [
            ("with stored data", data.firstFixes.withData),
            ("without", data.firstFixes.withoutData),
        ].compactMap { name, seconds in
            seconds.map { "\(String($0, decimals: 1)) s \(name)" }
        }
        let entries = data.entries.isEmpty ? "" : ", \(data.entries.count) database entries"
        let stored = line("stored", "\(data.time): time and position\(entries)")
        return (fixes.isEmpty ? [] : [line("first fix", fixes.joined(separator: ", "))]) + [stored]
    }

    private static func text(_ port: ReceiverState.Port) -> String {
        func list(_ protocols: [String]) -> String {
            protocols.isEmpty ? "nothing" : protocols.joined(separator: ", ")
        }
        return (port.baudRate.map { "\($0) baud, " } ?? "")
            + "accepts \(list(port.input)); sends \(list(port.output))"
    }

    private static func line(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: max(1, 24 - name.count)) + value
    }

    private static func settings(_ configuration: ReceiverConfiguration) -> [ConfigurationChange] {
        ReceiverConfiguration().differences(to: configuration)
    }
}

/// The data rate of a receiver's messages on a serial line.
struct LineLoad {
    /// The average number of bytes per fix.
    private var bytesPerFix: Double
    /// The number of fixes per second.
    var rate: Double

    /// The usable fraction of a line's capacity. It is less than 1, because the messages of a fix
    /// are sent in bursts.
    private static let largestFraction = 0.8

    /// The baud rates that may be proposed.
    private static let baudRates = [9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600]

    /// Calculates the load. The values of `messages` are intervals in fixes. `factors` contains the
    /// results of ``factors(of:constellations:)``.
    init(
        messages: [String: Int], constellations: Int, rate: Double, factors: [String: Double] = [:]
    ) {
        bytesPerFix = messages.reduce(0) { sum, message in
            sum + Self.size(message.key, constellations: max(constellations, 1))
                * (factors[message.key] ?? 1) / Double(max(message.value, 1))
        }
        self.rate = rate
    }

    /// Returns the ratio of each measured message size to the estimate for this number of
    /// constellations, at least 1, by message name. For example, a receiver with two frequency
    /// bands sends two lists of satellites.
    static func factors(of sizes: [String: Int], constellations: Int) -> [String: Double] {
        sizes.reduce(into: [:]) { result, measured in
            let estimate = size(measured.key, constellations: max(constellations, 1))
            result[measured.key] = max(Double(measured.value) / estimate, 1)
        }
    }

    /// The load in bits per second, including a start and a stop bit for each byte.
    var bitsPerSecond: Double { bytesPerFix * rate * 10 }

    /// Returns the load as a fraction of the capacity of a line with this baud rate.
    func fraction(of baudRate: Int) -> Double { bitsPerSecond / Double(max(baudRate, 1)) }

    /// Returns whether a line with this baud rate can carry the load.
    func fits(_ baudRate: Int) -> Bool { fraction(of: baudRate) <= Self.largestFraction }

    /// Returns the calculation that shows why a line with this baud rate cannot carry the load.
    func calculation(for baudRate: Int) -> String {
        "\(Int(bytesPerFix.rounded())) bytes per fix × \(TOMLValue.number(rate).text) Hz × 10 bits = "
            + "\(Int(bitsPerSecond.rounded())) bit/s, more than "
            + "\(Int(Self.largestFraction * 100)) % of \(baudRate) baud"
    }

    /// Returns the lowest baud rate up to `limit` that can carry the load; `nil` if none can.
    func sufficientBaudRate(limit: Int) -> Int? {
        Self.baudRates.first { $0 <= limit && fits($0) }
    }

    /// Returns the size of a message in bytes, assuming twelve satellites in each constellation.
    private static func size(_ name: String, constellations: Int) -> Double {
        let satellites = Double(constellations) * 12
        return switch name {
        case "RMC": 75
        case "GGA", "GNS": 82
        case "GLL": 50
        case "VTG", "ZDA": 40
        case "GSA": 66 * Double(constellations)
        case "GSV": 70 * satellites / 4
        case "GST", "GBS", "DTM": 60
        case "GRS": 66 * Double(constellations)
        case "NAV-PVT": 100
        case "NAV-SAT", "NAV-SVINFO": 16 + 12 * satellites
        case "NAV-SIG": 16 + 16 * satellites * 1.5
        case "NAV-DOP": 26
        case "NAV-EOE": 12
        case "NAV-COV", "NAV-RELPOSNED": 72
        case "RXM-RAWX": 24 + 32 * satellites * 1.5
        case "RXM-SFRBX": 50 * satellites / 6
        case "MON-SPAN": 284
        case "MON-COMMS": 168
        default: 60
        }
    }
}
