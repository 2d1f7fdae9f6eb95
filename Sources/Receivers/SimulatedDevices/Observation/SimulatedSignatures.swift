// SPDX-License-Identifier: MIT
import GNSS
package import GNSSAuthentication
import GNSSNavigation
import UBX

/// Signs the messages of simulated satellites of Galileo with a key that only this process has.
package struct SimulatedSignatures: Sendable {
    /// Faults of the messages.
    package struct Faults: Hashable, Sendable {
        /// The changes of the chain of keys.
        package var changes: [ChainChange] = []
        /// Whether the orbits are changed after they were signed.
        package var forgesOrbits = false
        /// By how many seconds old messages are repeated.
        package var delay = 0
    }

    /// The words and fields of a satellite in a sub-frame.
    private struct Sent {
        let words: [INAVWord]
        let fields: [UInt64]
    }

    /// The seconds for which the same orbit is sent.
    private static let lifetime = 600
    private static let orbits = NominalConstellation.orbits(of: .galileo)

    private var signer: PageSigner
    private var faults = Faults()
    /// The sub-frame of what is stored.
    private var subframe: GalileoTime?
    private var sent: [UInt8: Sent] = [:]
    /// The words that the tags of the sub-frame authenticate.
    private var signed: [UInt8: SignedWords] = [:]
    /// The messages of the latest epoch.
    private(set) var messages: [UInt8: RxmSFRBX] = [:]

    /// Creates the signatures of a simulation that begins at a time.
    init(_ key: TestKey, from start: UTCTime, seed: UInt64) {
        let now = GPSTime(start)?.seconds ?? 0
        signer = PageSigner(key, from: GalileoTime(gpsSeconds: now), seed: seed)
    }

    /// Makes the messages that have ended at an epoch, of the satellites that are tracked.
    mutating func update(_ observation: SimulatedObservation, _ faults: Faults) {
        messages = [:]
        guard let now = GPSTime(observation.truth.time)?.seconds, now % 2 == 1 else { return }
        // A page takes two seconds, and begins in an odd one.
        let start = GalileoTime(gpsSeconds: now - 2 - faults.delay / 2 * 2)
        if subframe != start.subframe || self.faults != faults {
            (sent, signed, subframe) = ([:], [:], start.subframe)
            self.faults = faults
        }
        let page = (start - start.subframe) / 2
        for satellite in observation.satellites
        where satellite.id.constellation == .galileo && !satellite.signals.isEmpty {
            guard let sent = sent(by: satellite.id.svid, in: start.subframe) else { continue }
            var word = sent.words[page]
            if faults.forgesOrbits, word.type == 1 {
                // The last bit of the mean anomaly.
                word = INAVWord(high: word.number(0, 64) ^ 1 << 2, low: word.number(64, 64))
            }
            messages[satellite.id.svid] = INAVPage(word: word, osnma: sent.fields[page])
                .message(of: satellite.id.svid)
        }
    }

    private mutating func sent(by svid: UInt8, in subframe: GalileoTime) -> Sent? {
        if let known = sent[svid] { return known }
        guard let ephemeris = Self.ephemeris(of: svid, at: subframe) else { return nil }
        let words = INAVPage.types.enumerated().map { page, type in
            ephemeris.inavWord(type, at: subframe.gpsSeconds + 2 * page + 1)
        }
        var signed = signed
        let fields = signer.fields(of: svid, at: subframe, faults.changes) { other in
            if let known = signed[other] { return known }
            let words = Self.signedWords(of: other, before: subframe)
            signed[other] = words
            return words
        }
        self.signed = signed
        let result = Sent(words: words, fields: fields)
        sent[svid] = result
        return result
    }

    private static func ephemeris(of svid: UInt8, at time: GalileoTime) -> Ephemeris? {
        orbits.first { $0.id.svid == svid }?.ephemeris(at: time.gpsSeconds)
    }

    private static func signedWords(of svid: UInt8, before subframe: GalileoTime) -> SignedWords? {
        let time = subframe - GalileoTime.subframe
        let first = time.gpsSeconds / lifetime * lifetime
        return ephemeris(of: svid, at: time).map { ephemeris in
            func word(_ type: Int) -> INAVWord { ephemeris.inavWord(type, at: time.gpsSeconds + 1) }
            return SignedWords(
                orbit: (1...5).map(word), timing: [6, 10].map(word),
                age: (subframe.gpsSeconds - first) / GalileoTime.subframe)
        }
    }
}
