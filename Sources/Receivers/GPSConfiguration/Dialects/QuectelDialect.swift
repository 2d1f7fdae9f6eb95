// SPDX-License-Identifier: MIT
import GNSS

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
