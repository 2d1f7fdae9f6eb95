// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// Writes sentences for programs that read NMEA, while a receiver reports its fixes only in UBX.
/// The line may carry other sentences: of a compass, of ships, or some of the receiver's own.
package struct SentencesOfUBX: Equatable, Sendable {
    /// Whether a sentence with a position was received since the last fix.
    private var hasPosition = false
    /// Whether a sentence that lists satellites was received since the last fix.
    private var hasList = false
    /// Whether a navigation message was received since the last fix.
    private var hasMessages = false
    /// Whether views are written: the last fix was, and the receiver does not list satellites.
    private var writesViews = false

    /// Creates a writer at the start of a stream.
    package init() {}

    /// Records that the receiver sent a sentence.
    package mutating func received(_ sentence: RawSentence) {
        guard case .standard(let formatter) = sentence.address.kind else { return }
        switch formatter {
        case RMC.formatter, GGA.formatter, GNS.formatter, GLL.formatter: hasPosition = true
        case GSV.formatter: hasList = true
        default: break
        }
    }

    /// Records that the receiver sent a UBX frame.
    package mutating func received(_ frame: UBXFrame) {
        if frame.id.messageClass == NavPVT.id.messageClass { hasMessages = true }
    }

    /// Passes the sentences for a fix to `handle`, unless the receiver itself has sent a sentence
    /// with the position.
    package mutating func write(
        _ fix: Fix, _ view: SatelliteView, _ handle: (RawSentence) -> Void
    ) {
        let isWritten = hasMessages && !hasPosition
        writesViews = isWritten && !hasList
        (hasMessages, hasPosition, hasList) = (false, false, false)
        guard isWritten else { return }
        Self.sentences({ $0.write(fix, used: view.used) }, handle)
    }

    /// Passes the sentences for a satellite view to `handle` if those for its fix were written, and
    /// the receiver sends none.
    package func write(_ view: SatelliteView, _ handle: (RawSentence) -> Void) {
        guard writesViews else { return }
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
