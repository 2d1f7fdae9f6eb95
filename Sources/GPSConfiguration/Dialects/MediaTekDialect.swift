// SPDX-License-Identifier: MIT
import GNSS

/// MediaTek's MT33xx: `PMTK` sentences. `PMTK001` acknowledges most of them.
struct MediaTekDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []

    init(_ identity: ReceiverIdentity) { state = ReceiverState(identity) }

    /// The order of `PMTK314`.
    private static let sentences =
        ["GLL", "RMC", "VTG", "GGA", "GSA", "GSV", "GRS", "GST"]
        + Array(repeating: "", count: 9) + ["ZDA", ""]

    var probe: Exchange {
        Exchange(TextLine.sentence("PMTK605"), attempts: 3, timeout: .milliseconds(700))
    }

    mutating func beginReading(storedValues: Bool, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        state.configuration.baudRate = line.baudRate
        queue = [
            Exchange(TextLine.sentence("PMTK414")),
            Exchange(TextLine.sentence("PMTK400"), attempts: 1),
        ]
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        if let fields = outcome.fields(of: "$PMTK514,") {
            let pairs = zip(Self.sentences, fields).compactMap { name, text in
                Int(text).flatMap { !name.isEmpty && $0 > 0 ? (name, $0) : nil }
            }
            state.configuration.messages = .list(Dictionary(pairs, uniquingKeysWith: { $1 }))
        }
        if let period = outcome.fields(of: "$PMTK500,")?.first.flatMap({ Double($0) }), period > 0 {
            state.configuration.rate = 1000 / period
        }
    }

    func steps(to wish: ReceiverConfiguration) throws(ConfigurationError) -> [ConfigurationStep] {
        try refuse(wish, except: ["rate", "baud", "messages", "constellations"])
        var steps: [ConfigurationStep] = []
        let current = state.configuration
        if let baudRate = wish.baudRate, baudRate != current.baudRate {
            steps.append(
                ConfigurationStep(
                    title: "baud rate", command: TextLine.sentence("PMTK251,\(baudRate)"),
                    undo: current.baudRate.map { TextLine.sentence("PMTK251,\($0)") },
                    baudRate: baudRate))
        }
        if let selection = wish.messages {
            let wanted = try messages(of: selection)
            if wanted != knownMessages {
                steps.append(
                    ConfigurationStep(
                        title: "messages", command: try sentences(wanted),
                        undo: try knownMessages.map(sentences)))
            }
        }
        if let constellations = wish.constellations {
            steps.append(
                ConfigurationStep(
                    title: "constellations", command: try self.constellations(constellations),
                    settling: .milliseconds(500),
                    refusal: "it cannot receive this combination"))
        }
        if let rate = wish.rate, rate != current.rate {
            let period = try period(rate, among: 100...10_000)
            steps.append(
                ConfigurationStep(
                    title: "rate", command: TextLine.sentence("PMTK220,\(period)"),
                    undo: current.rate.map {
                        TextLine.sentence("PMTK220,\(Int((1000 / $0).rounded()))")
                    }, refusal: "more than one fix per second needs a line above 9600 baud"))
        }
        return steps
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
        if let other = constellations.first(where: {
            !order.contains($0) && $0 != .sbas && $0 != .qzss
        }) {
            throw error(.unsupported, "cannot receive \(other.name)")
        }
        func flag(_ constellation: Constellation) -> Int {
            constellations.contains(constellation) ? 1 : 0
        }
        guard order.contains(where: constellations.contains) else {
            throw error(.unsupported, "cannot work without constellations")
        }
        return TextLine.sentence(
            "PMTK353,\(flag(.gps)),\(flag(.glonass)),\(flag(.galileo)),0,\(flag(.beiDou))")
    }

    func savings(
        of wish: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        throw error(
            .unsupported,
            "has no command to save: it keeps settings as long as its backup battery lasts",
            remedy: "gpsbridge can apply them again after each start")
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        let number =
            switch restart {
            case .hot: 101
            case .warm: 102
            case .cold: 103
            }
        return Exchange(TextLine.sentence("PMTK\(number)"), attempts: 1, settling: .seconds(1))
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        [Exchange(TextLine.sentence("PMTK104"), attempts: 1, settling: .seconds(1))]
    }
}
