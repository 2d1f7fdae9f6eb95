// SPDX-License-Identifier: MIT
import NMEA

extension Work {
    /// Sentences found, checksums verified, nothing decoded.
    static let framing = Work(name: "framing") { bytes in
        var framer = Framer()
        var tally = Tally()
        framer.push(bytes.span) {
            if case .sentence = $0 { tally.sentences += 1 }
        }
        framer.finish { _ in }
        return tally
    }
}
