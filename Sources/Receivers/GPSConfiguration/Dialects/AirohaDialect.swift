// SPDX-License-Identifier: MIT
import GNSS

/// The dialect of Airoha's AG33xx: `PAIR` sentences, acknowledged by `PAIR001`.
struct AirohaDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []

    init(_ identity: ReceiverIdentity) { state = ReceiverState(identity) }

    /// The sentences whose intervals `PAIR062` sets. The command identifies a sentence by its index
    /// in this list.
    private static let sentences = [
        "GGA", "GLL", "GSA", "GSV", "RMC", "VTG", "ZDA", "GRS", "GST",
    ]

    var probe: Exchange { .probe(TextLine.sentence("PAIR020")) }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        queue = [Exchange(TextLine.sentence("PAIR051"))]
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        if let rate = Self.rate(ofPeriod: outcome.fields(of: "$PAIR051,")?.first) {
            state.configuration.rate = rate
        }
    }

    mutating func observe(_ messages: [String]) { observe(messages, among: Self.sentences) }

    func steps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        if requested.baudRate != nil {
            throw unsupported(
                "set the baud rate", because: "this chip applies a baud rate only after a restart")
        }
        try refuse(requested, except: ["rate", "messages", "constellations"])
        try limitIntervals(of: requested, to: 20)
        var steps: [ConfigurationStep] = []
        if let selection = requested.messages {
            let wanted = try messages(of: selection)
            _ = try intervals(wanted, in: Self.sentences)
            for (number, name) in Self.sentences.enumerated() {
                let new = wanted[name] ?? 0
                let old = knownMessages.map { $0[name] ?? 0 }
                guard new != old else { continue }
                steps.append(
                    ConfigurationStep(
                        title: "messages", command: TextLine.sentence("PAIR062,\(number),\(new)"),
                        undo: old.map { TextLine.sentence("PAIR062,\(number),\($0)") },
                        // The previous interval is not known.
                        isUndoPartial: true))
            }
        }
        steps += try rateSteps(to: requested, among: 100...1000) {
            TextLine.sentence("PAIR050,\($0)")
        }
        // This step is the last one, because it cannot be undone: the previous constellations are
        // not known.
        steps += try settingSteps(
            "constellations", \.constellations, to: requested, settling: .milliseconds(500),
            refusal: "it cannot receive this combination", command: constellations)
        return steps
    }

    private func constellations(
        _ constellations: Set<Constellation>
    ) throws(ConfigurationError) -> [UInt8] {
        let order: [Constellation] = [.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]
        try refuse(constellations, except: order)
        guard order.contains(where: constellations.contains) else {
            throw error(.unsupported, "needs at least one constellation")
        }
        let flags = order.map { constellations.contains($0) ? "1" : "0" }
        return TextLine.sentence("PAIR066," + flags.joined(separator: ","))
    }

    /// Returns the command that saves all settings (`PAIR513`). At more than one fix per second,
    /// Airoha specifies the command only for a receiver that `PAIR003` has switched off. `PAIR003`
    /// is never sent, because the receiver would stay off if the program ended then.
    func savings(of request: ConfigurationRequest) -> [ConfigurationSaving] {
        let command = TextLine.sentence("PAIR513")
        guard let rate = state.configuration.rate, rate > 1 else { return flashSavings(command) }
        return flashSavings(
            command,
            "saved in flash; some firmware saves only at 1 fix per second: check the settings "
                + "after the next power-on",
            remedy: "some firmware saves only at 1 fix per second: save with --rate 1, and set the "
                + "rate after each start")
    }

    /// Returns the request for the restart. `PAIR003` is never sent, because it switches the
    /// receiver off.
    func restart(_ restart: ConfigurationRequest.Restart) -> Exchange {
        Self.start("PAIR\(restart.value(hot: "004", warm: "005", cold: "006"))")
    }

    func factoryReset() -> [Exchange] { [Self.start("PAIR007")] }
}
