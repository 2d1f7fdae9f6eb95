// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The settings of a simulated receiver that affect its output.
struct ReceiverSettings: Hashable, Sendable {
    /// The time between epochs in seconds.
    var period: Double
    /// The baud rate; `nil` for USB.
    var baudRate: Int?
    /// The interval of each enabled sentence in epochs.
    var sentences: [CycleSentence: Int]
    /// The interval of each enabled UBX message in epochs.
    var messages: [UBXMessageID: Int] = [:]
    /// Whether the receiver reads UBX frames.
    var acceptsUBX = true
    /// The version of NMEA 0183.
    var version: Personality.Version
    /// The enabled constellations, in the order of the sentences.
    var constellations: [Constellation]
    /// The signals of each constellation as NMEA 4.11 signal IDs, the main signal first.
    var signals: [Constellation: [UInt8]]
    /// The elevation in degrees below which no satellites are used.
    var minimumElevation = 5.0

    /// Creates the factory settings of a personality, with a period in seconds and a baud rate.
    init(_ personality: Personality, period: Double, baudRate: Int?) {
        self.period = period
        self.baudRate = baudRate
        sentences = Dictionary(
            personality.cycle.map { ($0, 1) }, uniquingKeysWith: { first, _ in first })
        version = personality.version
        constellations = personality.constellations
        signals = personality.allSignals
    }

    /// Returns a copy of the personality with these settings applied. The cycle of the copy
    /// contains every enabled sentence, regardless of the sentence's interval.
    func applied(to personality: Personality) -> Personality {
        var result = personality
        let added = CycleSentence.allCases.filter { !personality.cycle.contains($0) }
        result.cycle = (personality.cycle + added).filter { sentences[$0] != nil }
        result.version = version
        result.constellations = constellations
        result.signals = signals
        return result
    }
}
