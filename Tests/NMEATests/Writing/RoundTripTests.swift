// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Every sentence type survives writing and reading.
@Suite(.timeLimit(.generous)) struct RoundTripTests {
    @Test(arguments: knownSentences.indices)
    func `a sentence survives reading and writing`(index: Int) throws {
        let known = knownSentences[index]
        guard let type = known as? any (Sentence & Equatable).Type else {
            Issue.record("\(known) cannot be compared")
            return
        }
        let specimen = try SentenceFiles.specimen(of: type)
        let isSpecimenRead = try check(type, specimen)
        #expect(isSpecimenRead)

        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<200 {
            let text = vary(specimen, &random)
            if try check(type, text, "seed \(seed)") { read += 1 }
        }
        #expect(read > 25, "\(type): only \(read) variations could be read")
    }

    /// Checks the round trip; returns whether the text could be read.
    private func check<S: Sentence & Equatable>(
        _ type: S.Type, _ text: String, _ note: String = ""
    ) throws -> Bool {
        guard let sentence = try? S(text) else { return false }
        var writer = SentenceWriter()
        // Some fields depend on the talker, which must therefore be the same.
        writer.write(sentence, talker: Talker(rawValue: String(text.dropFirst().prefix(2))))
        let written = String(decoding: writer.bytes, as: UTF8.self)
        let again = try S(written)
        #expect(again == sentence, "\(text) became \(written) \(note)")
        return true
    }

    /// Returns the sentence with other digits, and sometimes a more precise or an empty field.
    private func vary(_ specimen: String, _ random: inout SeededGenerator) -> String {
        let body = specimen.dropFirst().prefix { $0 != "*" }
        var fields = body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isProprietary = body.hasPrefix("P")
        for index in fields.indices.dropFirst(isProprietary ? 2 : 1) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: fields[index] = ""
            case 1: fields[index] = precise(fields[index], &random)
            case 2...4: fields[index] = otherDigits(fields[index], &random)
            default: break
            }
        }
        return line(fields.joined(separator: ","))
    }

    private func otherDigits(_ field: String, _ random: inout SeededGenerator) -> String {
        String(field.map { $0.isNumber ? digit(&random) : $0 })
    }

    private func precise(_ field: String, _ random: inout SeededGenerator) -> String {
        guard field.contains(".") else { return otherDigits(field, &random) }
        let whole = field.prefix { $0 != "." }
        let decimals = Int.random(in: 0...9, using: &random)
        return whole + "." + String((0..<decimals).map { _ in digit(&random) })
    }

    private func digit(_ random: inout SeededGenerator) -> Character {
        Character("\(Int.random(in: 0...9, using: &random))")
    }
}
