// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// Writes sentences for programs that read NMEA, while a receiver reports its fixes only in UBX.
/// The line may carry other sentences: those of a compass or an AIS receiver, or some sentences of
/// the receiver itself.
package struct SentencesOfUBX: Equatable, Sendable {
    /// The size in bytes of the waiting sentences above which no satellite views are added. The
    /// sentences of one fix are smaller.
    private static let maximumWaiting = 1 << 16

    /// Whether the sentences for a fix always wait until the receiver can no longer send its own
    /// for that fix.
    private let waits: Bool
    /// Whether a sentence with a position was received since the last fix.
    private var hasPosition = false
    /// Whether a sentence that lists satellites was received since the last fix.
    private var hasList = false
    /// Whether a UBX navigation message was received since the last fix.
    private var hasMessages = false
    /// Whether nothing was received since the last fix. The next fix is then from the same bytes,
    /// because one message may complete two fixes.
    private var isAfterFix = false
    /// Whether the receiver has sent a UBX navigation message. Until then, no sentence is made from
    /// messages, and the times of the receiver's own sentences are not needed.
    private var sendsMessages = false
    /// Whether the times of all sentences since the last fix are known.
    private var knowsTimes = false
    /// The time of the last epoch for which the receiver sent a sentence with a position.
    private var sentenceTime: TimeOfDay?
    /// The previous value of `sentenceTime`.
    private var earlierTime: TimeOfDay?
    private var fixTime: TimeOfDay?
    /// Whether sentences were written for the last fix.
    private var isWriting = false
    /// Whether sentences are written for satellite views, because they were written for the last
    /// fix and the receiver does not list satellites itself.
    private var writesViews = false
    /// The sentences for the last fix, while the receiver may still send its own.
    private var waiting: [UInt8] = []

    /// Creates a writer at the start of a stream. If `waits` is `false`, sentences are written
    /// without delay unless the receiver sent its own for the previous fix.
    package init(waits: Bool) {
        self.waits = waits
    }

    /// Records that the receiver sent a sentence. If it contains a position and the time of the
    /// last fix, the waiting sentences for that fix are dropped. If it has another time, they are
    /// passed to `late`.
    package mutating func received(_ sentence: RawSentence, late: (RawSentence) -> Void) {
        beginFix()
        guard sentence.hasPosition else {
            if sentence.address.kind == .standard(GSV.formatter) { hasList = true }
            return
        }
        hasPosition = true
        guard sendsMessages, let time = sentence.epochTime else { return }
        if Self.isSame(time, fixTime) {
            if !waiting.isEmpty { (isWriting, writesViews) = (false, false) }
            waiting = []
        } else {
            finish(late)
        }
        guard !Self.isSame(time, sentenceTime) else { return }
        (earlierTime, sentenceTime) = (sentenceTime, time)
    }

    /// Records that the receiver sent a UBX frame.
    package mutating func received(_ frame: UBXFrame) {
        guard frame.id.messageClass == NavPVT.id.messageClass else { return }
        beginFix()
        (hasMessages, sendsMessages) = (true, true)
    }

    /// Resets what was received before the last fix. Call it before data is recorded.
    private mutating func beginFix() {
        guard isAfterFix else { return }
        (hasMessages, hasPosition, hasList, isAfterFix) = (false, false, false, false)
    }

    /// Writes the sentences for a fix, unless the receiver itself sends sentences for it.
    ///
    /// Sentences for the previous fix that have waited are passed to `late`. Those for this fix are
    /// passed to `handle`, or wait, because a receiver may send its sentences after its messages.
    package mutating func write(
        _ fix: Fix, _ view: SatelliteView, late: (RawSentence) -> Void,
        _ handle: (RawSentence) -> Void
    ) {
        finish(late)
        let sendsBoth = isSent(fixTime)
        let hasOwn = knowsTimes && fix.timeOfDay != nil ? isSent(fix.timeOfDay) : hasPosition
        isWriting = hasMessages && !hasOwn
        writesViews = isWriting && !hasList
        fixTime = fix.timeOfDay
        (isAfterFix, knowsTimes) = (true, sendsMessages)
        guard isWriting else { return }
        var writer = SentenceWriter()
        writer.write(fix, used: view.used)
        waiting = writer.bytes
        if !waits, !sendsBoth { finish(handle) }
    }

    /// Writes the sentences for a satellite view if those for its fix are written, and the receiver
    /// itself sends none.
    package mutating func write(_ view: SatelliteView, _ handle: (RawSentence) -> Void) {
        guard writesViews else { return }
        var writer = SentenceWriter()
        writer.write(view)
        if waiting.isEmpty {
            Self.pass(writer.bytes, to: handle)
        } else if waiting.count < Self.maximumWaiting {
            waiting += writer.bytes
        }
    }

    /// Passes the sentences that have waited to `late`. Call it at the end of the stream.
    package mutating func finish(_ late: (RawSentence) -> Void) {
        guard !waiting.isEmpty else { return }
        Self.pass(waiting, to: late)
        waiting = []
    }

    /// Passes each of the given sentences, which are complete, to `handle`.
    package static func pass(_ sentences: [UInt8], to handle: (RawSentence) -> Void) {
        var framer = Framer()
        framer.push(sentences.span) { event in
            if case .sentence(let sentence) = event { handle(sentence) }
        }
    }

    /// Returns whether the receiver has sent a sentence for the epoch with this time.
    private func isSent(_ time: TimeOfDay?) -> Bool {
        Self.isSame(sentenceTime, time) || Self.isSame(earlierTime, time)
    }

    private static func isSame(_ a: TimeOfDay?, _ b: TimeOfDay?) -> Bool {
        guard let a, let b else { return false }
        return a.isSameInstant(as: b)
    }
}

extension RawSentence {
    /// Whether the sentence is of a standard type that contains a position.
    fileprivate var hasPosition: Bool {
        // An array of the formatters would be allocated for each sentence.
        switch address.kind {
        case .standard(RMC.formatter), .standard(GGA.formatter), .standard(GNS.formatter),
            .standard(GLL.formatter):
            return true
        default: return false
        }
    }
}
