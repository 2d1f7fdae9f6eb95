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
