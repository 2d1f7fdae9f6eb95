// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The dialect of Zhongke's CASIC chips: binary messages for rates, and `PCAS` sentences for
/// everything else. V5 (AT6558) and V6 (AT9880) differ in their answers.
struct CASICDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []
    /// The baud rate of the line; `nil` if it has none.
    private var lineRate: Int?

    init(_ identity: ReceiverIdentity) { state = ReceiverState(identity) }

    private static let sentences = [
        "GGA", "GLL", "GSA", "GSV", "RMC", "VTG", "ZDA", "TXT", "DHV", "LPS", "", "", "UTC", "GST",
    ]

    var probe: Exchange { .probe(CASICFrame.bytes(CASICFrame.rate, payload: [])) }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        lineRate = line.baudRate
        queue = [
            Exchange(CASICFrame.bytes(CASICFrame.port, payload: [])),
            Exchange(CASICFrame.bytes(CASICFrame.rate, payload: [])),
        ]
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        guard case .accepted(let messages) = outcome else { return }
        var baudRates: [UInt8: Int] = [:]
        for case .casic(let id, let payload) in messages {
            if id == CASICFrame.port, let port = payload.first {
                baudRates[port] = payload.number(at: 4, count: 4).map { Int($0) }
            }
            if id == CASICFrame.rate, let period = payload.number(at: 0, count: 2), period > 0 {
                state.configuration.rate = 1000 / Double(period)
            }
        }
        // The chip reports all ports, but not which one is connected: it is one with the line's baud
        // rate, or else the first.
        let ours = baudRates.filter { $0.value == lineRate }.keys.min() ?? baudRates.keys.min()
        guard let ours else { return }
        state.port = "UART\(ours)"
        state.configuration.baudRate = baudRates[ours]
    }

    mutating func observe(_ messages: [String]) { observe(messages, among: Self.sentences) }

    func steps(to requested: ReceiverConfiguration) throws(ConfigurationError)
        -> [ConfigurationStep]
    {
        try refuse(requested, except: ["rate", "baud", "messages", "constellations"])
        try limitIntervals(of: requested, to: 9)
        var steps = try baudRateSteps(to: requested, command: Self.port)
        steps += try messagesSteps(
            to: requested, isObserved: true, settling: .milliseconds(100), command: sentences)
        steps += try rateSteps(to: requested, among: 100...10_000, command: Self.rate)
        // This step is the last one, because it cannot be undone: the previous constellations are
        // not known.
        steps += try settingSteps(
            "constellations", \.constellations, to: requested, settling: .milliseconds(500),
            command: constellations)
        return steps
    }

    /// Returns the request that sets the current port to a baud rate and 8N1, and keeps its
    /// protocols.
    private static func port(_ baudRate: Int) -> [UInt8] {
        CASICFrame.bytes(
            CASICFrame.port,
            payload: [0xFF, 0xFF, 0xC0, 0x08] + UInt32(clamping: baudRate).littleEndianBytes)
    }

    private static func rate(_ period: Int) -> [UInt8] {
        CASICFrame.bytes(
            CASICFrame.rate,
            payload: UInt16(truncatingIfNeeded: period).littleEndianBytes + [0, 0])
    }

    private func sentences(_ messages: [String: Int]) throws(ConfigurationError) -> [UInt8] {
        let intervals = try intervals(messages, in: Self.sentences)
        let fields = zip(Self.sentences, intervals).map { $0.isEmpty ? "" : "\($1)" }
        return TextLine.sentence("PCAS03," + fields.joined(separator: ","))
    }

    private func constellations(
        _ constellations: Set<Constellation>
    ) throws(ConfigurationError) -> [UInt8] {
        guard state.identity.model.hasPrefix("V5") || state.identity.firmware.contains("V5") else {
            throw unsupported(
                "set the constellations",
                because: "gpsbridge does not know the command of this firmware")
        }
        let bits: [Constellation: Int] = [.gps: 1, .beiDou: 2, .glonass: 4]
        var mask = 0
        for constellation in constellations {
            guard let bit = bits[constellation] else {
                throw error(.unsupported, "cannot receive \(constellation.name)")
            }
            mask |= bit
        }
        guard mask > 0 else { throw error(.unsupported, "needs at least one constellation") }
        return TextLine.sentence("PCAS04,\(mask)")
    }

    func savings(of request: ConfigurationRequest) -> [ConfigurationSaving] {
        flashSavings(
            TextLine.sentence("PCAS00"),
            "the request to save in flash was sent; the chip does not confirm it")
    }

    func restart(_ restart: ConfigurationRequest.Restart) -> Exchange {
        Self.start("PCAS10,\(restart.value(hot: 0, warm: 1, cold: 2))")
    }

    func factoryReset() -> [Exchange] { [Self.start("PCAS10,3")] }
}
