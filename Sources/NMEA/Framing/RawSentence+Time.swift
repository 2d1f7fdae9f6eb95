// SPDX-License-Identifier: MIT
public import GNSS

extension RawSentence {
    private static let knownTypes = SentenceTable(knownSentences)

    /// The time of the epoch, for the types of sentences that open one; see `Sentence.timing`.
    public var epochTime: TimeOfDay? {
        guard let type = Self.knownTypes.type(of: self) else { return nil }
        return epochTime(as: type)
    }

    private func epochTime(as type: (some Sentence).Type) -> TimeOfDay? {
        // A sentence that cannot be read has no time.
        guard let sentence = try? type.init(self), case .opens(let time) = sentence.timing
        else { return nil }
        return time
    }
}
