// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// Writes the sentences of epochs that a receiver reports in UBX alone, for programs that read NMEA.
package struct SentencesOfUBX: Equatable, Sendable {
    /// Whether a sentence with measurements was received since the last fix.
    private var hasSentences = false
    /// Whether a navigation message was received since the last fix.
    private var hasMessages = false
    /// Whether the last fix was written.
    private var isWriting = false

    /// Creates a writer at the start of a stream.
    package init() {}

    /// Records a sentence of the receiver.
    package mutating func received(_ sentence: RawSentence) {
        if sentence.hasMeasurements { hasSentences = true }
    }

    /// Records a UBX frame of the receiver.
    package mutating func received(_ frame: UBXFrame) {
        if frame.id.messageClass == NavPVT.id.messageClass { hasMessages = true }
    }

    /// Passes the sentences of a fix to `handle`, unless the receiver has sent sentences itself.
    package mutating func write(
        _ fix: Fix, _ view: SatelliteView, _ handle: (RawSentence) -> Void
    ) {
        isWriting = hasMessages && !hasSentences
        (hasMessages, hasSentences) = (false, false)
        guard isWriting else { return }
        Self.sentences({ $0.write(fix, used: view.used) }, handle)
    }

    /// Passes the sentences of a satellite view to `handle`, if those of its fix were written.
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
    /// Whether the sentence is neither TXT nor proprietary.
    package var hasMeasurements: Bool {
        switch address.kind {
        case .proprietary, .bad: false
        case .standard(let formatter): formatter != TXT.formatter
        case .query, .other: true
        }
    }
}
