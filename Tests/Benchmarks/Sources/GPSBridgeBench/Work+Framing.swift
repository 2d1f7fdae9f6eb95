// SPDX-License-Identifier: MIT
import NMEA

extension Work {
    /// Finds sentences and verifies checksums, without decoding.
    static let framing = Work(name: "framing") { bytes in
        var framer = Framer()
        var tally = Tally()
        framer.push(bytes.span, sentence: { _ in tally.sentences += 1 }, other: { _ in })
        framer.finish { _ in }
        return tally
    }
}
