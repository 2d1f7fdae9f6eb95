// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// Writes sentences for programs that read NMEA, while a receiver reports its fixes only in UBX.
package struct SentencesOfUBX: Equatable, Sendable {
    /// Whether a sentence with measurements was received since the last fix.
    private var hasSentences = false
    /// Whether a navigation message was received since the last fix.
    private var hasMessages = false
    /// Whether the last fix was written.
    private var isWriting = false

    /// Creates a writer at the start of a stream.
    package init() {}

    /// Records that the receiver sent a sentence.
    package mutating func received(_ sentence: RawSentence) {
        if sentence.hasMeasurements { hasSentences = true }
    }

    /// Records that the receiver sent a UBX frame.
    package mutating func received(_ frame: UBXFrame) {
        if frame.id.messageClass == NavPVT.id.messageClass { hasMessages = true }
    }

    /// Passes the sentences for a fix to `handle`, unless the receiver itself has sent sentences
    /// for it.
    package mutating func write(
        _ fix: Fix, _ view: SatelliteView, _ handle: (RawSentence) -> Void
    ) {
        isWriting = hasMessages && !hasSentences
        (hasMessages, hasSentences) = (false, false)
        guard isWriting else { return }
        Self.sentences({ $0.write(fix, used: view.used) }, handle)
    }

    /// Passes the sentences for a satellite view to `handle` if those for its fix were written.
    package func write(_ view: SatelliteView, _ handle: (RawSentence) -> Void) {
        guard isWriting else { return }
        Self.sentences({ $0.write(view) }, handle)
    }

    private static func sentences(
        _ write: (inout SentenceWriter) -> Void, _ handle: (RawSentence) -> Void
    ) {
        var writer = SentenceWriter()
        write(&writer)
        var framer = Framer()
        framer.push(writer.bytes.span) { event in
            if case .sentence(let sentence) = event { handle(sentence) }
        }
    }
}

extension RawSentence {
    /// Whether the sentence may contain measurements: it is neither TXT nor proprietary.
    package var hasMeasurements: Bool {
        switch address.kind {
        case .proprietary, .bad: false
        case .standard(let formatter): formatter != TXT.formatter
        case .query, .other: true
        }
    }
}
