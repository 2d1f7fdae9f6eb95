// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension Exercise {
    /// A receiver that sends any sentences in any order. No instant is delivered twice, every date
    /// was reported by a sentence, and every list of satellites was received completely.
    package static let assembly = Exercise(name: "assembly") { input throws(Broken) in
        var source = ByteSource(input)
        var receiver = InventedReceiver()
        var witness = AssemblyWitness()
        var steps = 0
        while !source.isEmpty, steps < 1000 {
            steps += 1
            switch source.number(below: 24) {
            case 0: try witness.silence()
            case 1: try witness.restart()
            case 2...5: receiver.wait(&source)
            case 6: receiver.changeDate(&source)
            case 7...9:
                let part = receiver.listPart(&source)
                witness.note(part)
                try witness.push(part.sentence)
            default:
                let sentence = receiver.sentence(&source)
                if sentence.reportsDate { witness.note(receiver.date) }
                try witness.push(sentence.text)
            }
        }
        try witness.finish()
    }
}
