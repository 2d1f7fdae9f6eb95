// SPDX-License-Identifier: MIT
import NMEA

/// A kind of sentence that is read, written and read again.
struct RoundTrip: Sendable {
    /// The address under a talker, or how a proprietary sentence begins.
    let address: @Sendable (String) -> String
    /// Checks a text, if it can be read.
    let check: @Sendable (String, String) throws(Broken) -> Void

    /// All kinds of sentences.
    static let all: [RoundTrip] = knownSentences.compactMap { known in
        (known as? any (Sentence & Equatable).Type).map { RoundTrip($0) }
    }

    private init<S: Sentence & Equatable>(_ type: S.Type) {
        let formatter = S.formatter.description
        address = { talker in formatter.count == 3 ? talker + formatter : formatter }
        check = { text, talker throws(Broken) in
            guard let sentence = try? S(text) else { return }
            try Self.check(sentence, talker: talker, from: text)
        }
    }

    /// Checks a sentence that may have values outside its format: it reads as one with values inside it.
    static func check<S: Sentence & Equatable>(written sentence: S) throws(Broken) {
        let text = Self.text(of: sentence, "GP")
        guard text.utf8.count <= 1000 else { return }
        do {
            try check(try S(text), talker: "GP", from: text)
        } catch let error as Broken {
            throw error
        } catch {
            throw Broken("\(text) cannot be read: \(error)")
        }
    }

    private static func check<S: Sentence & Equatable>(
        _ sentence: S, talker: String, from text: String
    ) throws(Broken) {
        let written = Self.text(of: sentence, talker)
        guard let again = try? S(written) else {
            throw Broken("\(text) became \(written), which cannot be read")
        }
        try expect(again == sentence, "\(text) became \(written)")
    }

    private static func text(of sentence: some Sentence, _ talker: String) -> String {
        var writer = SentenceWriter()
        writer.write(sentence, talker: Talker(rawValue: talker))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
