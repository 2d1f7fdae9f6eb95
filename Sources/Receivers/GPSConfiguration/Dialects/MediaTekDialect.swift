// SPDX-License-Identifier: MIT
import GNSS

/// The dialect of MediaTek's MT33xx: `PMTK` sentences. `PMTK001` acknowledges most of them.
struct MediaTekDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []
    /// The fixes per second that the receiver calculates, as `PMTK400` reads them; `nil` if it did
    /// not report them. `PMTK300` sets them.
    private var fixRate: Double?
    /// The fixes per second that were measured, if the receiver sends faster than it reports and no
    /// step has set the rate since.
    private var measuredRate: Double?

    init(_ identity: ReceiverIdentity) { state = ReceiverState(identity) }

    /// The sentences in the order of the fields of `PMTK314`; an empty name is a field that is not
    /// used.
    private static let sentences =
        ["GLL", "RMC", "VTG", "GGA", "GSA", "GSV", "GRS", "GST"]
        + Array(repeating: "", count: 9) + ["ZDA", ""]

    var probe: Exchange { .probe(TextLine.sentence("PMTK605")) }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        state.configuration.baudRate = line.baudRate
        (fixRate, measuredRate) = (nil, nil)
        queue = [
            Exchange(TextLine.sentence("PMTK414")),
            Exchange(TextLine.sentence("PMTK400"), attempts: 1, isOptional: true),
        ]
    }

    mutating func beginRereading(_ steps: [ConfigurationStep], line: ConfigurationLine) {
        let rate = steps.contains { $0.title == "rate" } ? nil : measuredRate
        beginReading(ConfigurationRequest(), line: line)
        measuredRate = rate
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        if let fields = outcome.fields(of: "$PMTK514,") {
            let pairs = zip(Self.sentences, fields).compactMap { name, text in
                Int(text).flatMap { !name.isEmpty && $0 > 0 ? (name, $0) : nil }
            }
            state.configuration.messages = .list(Dictionary(pairs, uniquingKeysWith: { $1 }))
        }
        if let rate = Self.rate(ofPeriod: outcome.fields(of: "$PMTK500,")?.first) {
            state.configuration.rate = measuredRate ?? rate
            fixRate = rate
        }
    }

    /// Replaces the reported rate if the receiver sends faster: no request reads the rate that
    /// `PMTK220` sets. A lower rate is not taken, because a full line loses sentences.
    mutating func observe(rate measured: Double) {
        let period = (1000 / measured).rounded()
        guard let fixRate, measured > fixRate * 1.15, period >= 1 else { return }
        measuredRate = 1000 / period
        state.configuration.rate = measuredRate
    }

    func steps(to requested: ReceiverConfiguration) throws(ConfigurationError)
        -> [ConfigurationStep]
    {
        try refuse(requested, except: ["rate", "baud", "messages", "constellations"])
        var steps = try baudRateSteps(to: requested) { TextLine.sentence("PMTK251,\($0)") }
        try limitIntervals(of: requested, to: 5)
        steps += try messagesSteps(to: requested, command: sentences)
        let outputSteps = try rateSteps(
            to: requested, among: 100...10_000,
            refusal: "more than one fix per second needs more than 9600 baud"
        ) { TextLine.sentence("PMTK220,\($0)") }
        steps += outputSteps
        if !outputSteps.isEmpty { steps += try fixRateSteps(to: requested) }
        // This step is the last one, because it cannot be undone: the previous constellations are
        // not known.
        steps += try settingSteps(
            "constellations", \.constellations, to: requested, settling: .milliseconds(500),
            refusal: "it cannot receive this combination", command: constellations)
        return steps
    }

    /// Returns the step that sets the rate at which the receiver calculates positions (`PMTK300`).
    /// With `PMTK220` alone, some firmware only repeats each position more often. The request
    /// `PMTK400` reads this rate.
    private func fixRateSteps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        guard let fixRate else { return [] }
        var calculating = self
        calculating.state.configuration.rate = fixRate
        return try calculating.rateSteps(to: requested, among: 100...10_000) {
            TextLine.sentence("PMTK300,\($0),0,0,0,0")
        }.map {
            var step = $0
            step.isOptional = true
            return step
        }
    }

    private func sentences(_ messages: [String: Int]) throws(ConfigurationError) -> [UInt8] {
        let intervals = try intervals(messages, in: Self.sentences)
        return TextLine.sentence(
            "PMTK314," + intervals.map { "\(min($0, 5))" }.joined(separator: ","))
    }

    private func constellations(
        _ constellations: Set<Constellation>
    ) throws(ConfigurationError) -> [UInt8] {
        let order: [Constellation] = [.gps, .glonass, .galileo, .beiDou]
        try refuse(constellations, except: order)
        func flag(_ constellation: Constellation) -> Int {
            constellations.contains(constellation) ? 1 : 0
        }
        guard order.contains(where: constellations.contains) else {
            throw error(.unsupported, "needs at least one constellation")
        }
        return TextLine.sentence(
            "PMTK353,\(flag(.gps)),\(flag(.glonass)),\(flag(.galileo)),0,\(flag(.beiDou))")
    }

    func savings(
        of request: ConfigurationRequest
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        throw error(
            .unsupported,
            "has no command to save: it keeps settings as long as its backup battery lasts",
            remedy: "repeat the `gpsbridge configure` command when they are lost")
    }

    func restart(_ restart: ConfigurationRequest.Restart) -> Exchange {
        Self.start("PMTK\(restart.value(hot: 101, warm: 102, cold: 103))")
    }

    func factoryReset() -> [Exchange] { [Self.start("PMTK104")] }
}

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

/// The dialect of Quectel's modules with `PQTM` sentences, such as LG290P.
struct QuectelDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []

    init(_ identity: ReceiverIdentity) { state = ReceiverState(identity) }

    /// The constellations in the order of `PQTMCFGCNST`.
    private static let constellations: [Constellation] = [
        .gps, .glonass, .galileo, .beiDou, .qzss, .navIC,
    ]

    var probe: Exchange { .probe(TextLine.sentence("PQTMVERNO")) }

    /// The remedy for firmware such as LG290P03AANR02A01S, which reports a new rate without
    /// applying it.
    var rateRemedy: String? {
        "some firmware applies a rate only after it was saved and the module was restarted: use --send "
            + "FILE with PQTMCFGFIXRATE, PQTMSAVEPAR and PQTMSRR"
    }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        queue = ["UART", "FIXRATE", "ELETHD", "CNST"].map {
            Exchange(TextLine.sentence("PQTMCFG\($0),R"))
        }
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        if let fields = outcome.fields(of: "$PQTMCFGUART,OK,"), fields.count > 1 {
            state.port = "UART\(fields[0])"
            state.configuration.baudRate = Int(fields[1])
        }
        if let rate = Self.rate(ofPeriod: outcome.fields(of: "$PQTMCFGFIXRATE,OK,")?.first) {
            state.configuration.rate = rate
        }
        if let angle = outcome.fields(of: "$PQTMCFGELETHD,OK,")?.first.flatMap({ Double($0) }) {
            state.configuration.minimumElevation = Int(exactly: angle.rounded())
        }
        if let fields = outcome.fields(of: "$PQTMCFGCNST,OK,") {
            state.configuration.constellations = Set(
                zip(Self.constellations, fields).filter { $0.1 == "1" }.map(\.0))
        }
    }

    func steps(to requested: ReceiverConfiguration) throws(ConfigurationError)
        -> [ConfigurationStep]
    {
        try refuse(requested, except: ["rate", "baud", "constellations", "elevation"])
        var steps = try baudRateSteps(to: requested) { Self.sentence("UART", "\($0)") }
        if requested.constellations?.contains(.sbas) == true {
            throw error(.unsupported, "cannot switch SBAS on or off")
        }
        steps += try settingSteps(
            "constellations", \.constellations, to: requested, settling: .milliseconds(500)
        ) { Self.sentence("CNST", Self.flags($0)) }
        steps += try settingSteps("elevation", \.minimumElevation, to: requested) {
            Self.sentence("ELETHD", "\($0).0")
        }
        steps += try rateSteps(to: requested, among: 50...1000) {
            Self.sentence("FIXRATE", "\($0)")
        }
        return steps
    }

    private static func sentence(_ command: String, _ value: String) -> [UInt8] {
        TextLine.sentence("PQTMCFG\(command),W,\(value)")
    }

    private static func flags(_ wanted: Set<Constellation>) -> String {
        constellations.map { wanted.contains($0) ? "1" : "0" }.joined(separator: ",")
    }

    func savings(of request: ConfigurationRequest) -> [ConfigurationSaving] {
        flashSavings(TextLine.sentence("PQTMSAVEPAR"))
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        guard restart == .hot else {
            throw unsupported(
                "make a \(restart.rawValue) start", because: "gpsbridge knows no command for it")
        }
        // After a restart, the module sends nothing for seconds and has only the saved settings.
        return Exchange(TextLine.sentence("PQTMSRR"), attempts: 1, settling: .seconds(3))
    }

    func factoryReset() -> [Exchange] {
        [
            Exchange(TextLine.sentence("PQTMRESTOREPAR")),
            Exchange(TextLine.sentence("PQTMSRR"), attempts: 1, settling: .seconds(3)),
        ]
    }
}
