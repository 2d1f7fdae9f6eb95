// SPDX-License-Identifier: MIT
import GNSS

/// The effects of a receiver's configuration on its output.
struct ReceiverSettings: Hashable, Sendable {
    /// Seconds from one epoch to the next.
    var period: Double
    /// The rate of the line; `nil` for USB.
    var baudRate: Int?
    /// Epochs per sentence, without those that are off.
    var sentences: [CycleSentence: Int]
    /// Epochs per UBX message, without those that are off.
    var messages: [UBXChip.Message: Int] = [:]
    /// Whether it reads UBX frames.
    var acceptsUBX = true
    /// The edition of NMEA 0183.
    var version: NMEAVersion
    /// The constellations in use, in the order in which they are listed.
    var constellations: [Constellation]
    /// Their signals by NMEA 4.11 ids, the main one first.
    var signals: [Constellation: [UInt8]]
    /// The elevation in degrees below which no satellites are used.
    var minimumElevation = 5.0

    /// The settings of a personality that was not configured.
    init(_ personality: Personality, period: Double, baudRate: Int?) {
        self.period = period
        self.baudRate = baudRate
        sentences = Dictionary(uniqueKeysWithValues: personality.cycle.map { ($0, 1) })
        version = personality.version
        constellations = personality.constellations
        signals = Dictionary(
            uniqueKeysWithValues: personality.constellations.map {
                ($0, personality.signals(of: $0))
            })
    }

    /// A personality with these settings.
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
