// SPDX-License-Identifier: MIT
import GNSS

/// Quectel's modules with `PQTM` sentences, such as LG290P.
struct QuectelDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []

    init(_ identity: ReceiverIdentity) { state = ReceiverState(identity) }

    /// The order of `PQTMCFGCNST`.
    private static let constellations: [Constellation] = [
        .gps, .glonass, .galileo, .beiDou, .qzss, .navIC,
    ]

    var probe: Exchange {
        Exchange(TextLine.sentence("PQTMVERNO"), attempts: 3, timeout: .milliseconds(700))
    }

    mutating func beginReading(storedValues: Bool, line: ConfigurationLine) {
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
        if let period = outcome.fields(of: "$PQTMCFGFIXRATE,OK,")?.first.flatMap({ Double($0) }),
            period > 0
        {
            state.configuration.rate = 1000 / period
        }
        if let angle = outcome.fields(of: "$PQTMCFGELETHD,OK,")?.first.flatMap({ Double($0) }) {
            state.configuration.minimumElevation = Int(angle.rounded())
        }
        if let fields = outcome.fields(of: "$PQTMCFGCNST,OK,") {
            state.configuration.constellations = Set(
                zip(Self.constellations, fields).filter { $0.1 == "1" }.map(\.0))
        }
    }

    func steps(to wish: ReceiverConfiguration) throws(ConfigurationError) -> [ConfigurationStep] {
        try refuse(wish, except: ["rate", "baud", "constellations", "elevation"])
        var steps: [ConfigurationStep] = []
        let current = state.configuration
        if let baudRate = wish.baudRate, baudRate != current.baudRate {
            steps.append(
                step("baud rate", "UART", "\(baudRate)", undo: current.baudRate.map { "\($0)" }))
            steps[steps.count - 1].baudRate = baudRate
        }
        if let wanted = wish.constellations, wanted != current.constellations {
            guard !wanted.isEmpty else {
                throw error(.unsupported, "cannot work without constellations")
            }
            if wanted.contains(.sbas) { throw error(.unsupported, "has no switch for SBAS") }
            steps.append(
                step(
                    "constellations", "CNST", Self.flags(wanted),
                    undo: current.constellations.map(Self.flags)))
            steps[steps.count - 1].settling = .milliseconds(500)
        }
        if let angle = wish.minimumElevation, angle != current.minimumElevation {
            steps.append(
                step(
                    "elevation", "ELETHD", "\(angle).0",
                    undo: current.minimumElevation.map { "\($0).0" }))
        }
        if let rate = wish.rate, rate != current.rate {
            let period = try period(rate, among: 50...1000)
            steps.append(
                step(
                    "rate", "FIXRATE", "\(period)",
                    undo: current.rate.map { "\(Int((1000 / $0).rounded()))" }))
        }
        return steps
    }

    private func step(
        _ title: String, _ command: String, _ value: String, undo: String?
    ) -> ConfigurationStep {
        ConfigurationStep(
            title: title, command: TextLine.sentence("PQTMCFG\(command),W,\(value)"),
            undo: undo.map { TextLine.sentence("PQTMCFG\(command),W,\($0)") })
    }

    private static func flags(_ wanted: Set<Constellation>) -> String {
        constellations.map { wanted.contains($0) ? "1" : "0" }.joined(separator: ",")
    }

    func savings(
        of wish: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        [
            ConfigurationSaving(
                requests: [TextLine.sentence("PQTMSAVEPAR")],
                saved: .init(storage: .flash, explanation: "saved in flash: it lasts"))
        ]
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        guard restart == .hot else {
            throw unsupported("a \(restart.rawValue) start", because: "no command for it is known")
        }
        // It sends nothing for seconds, and has only what was saved.
        return Exchange(TextLine.sentence("PQTMSRR"), attempts: 1, settling: .seconds(3))
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        [
            Exchange(TextLine.sentence("PQTMRESTOREPAR")),
            Exchange(TextLine.sentence("PQTMSRR"), attempts: 1, settling: .seconds(3)),
        ]
    }
}
