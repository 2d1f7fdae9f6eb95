// SPDX-License-Identifier: MIT
public import GNSS

/// Receives what a decoder finds in a stream, each kind by a method of its own.
///
/// This is the fast way: a fix is large, and here it is not wrapped in a `DecoderEvent`. Every method
/// has a default that does nothing.
public protocol DecoderListener {
    /// Whether it is called for sentences; read for every piece of the stream. Default: `true`.
    var wantsSentences: Bool { get }

    /// Called for a sentence with a right checksum, whatever the decoder made of it.
    mutating func didReceive(sentence: RawSentence)

    /// Called for what started like a sentence and is none.
    mutating func didReceive(rejection: Rejection)

    /// Called for a TAG block; it belongs to the sentence that follows.
    mutating func didReceive(tagBlock: TagBlock)

    /// Called for an epoch's fix; the view is the last complete one, with the satellites of this fix.
    mutating func didReceive(fix: Fix, satellites view: SatelliteView)

    /// Called for a view when its lists of satellites are complete, and so is the fix of their epoch, for
    /// which `didReceive(fix:satellites:)` was called before: the view has its satellites and dilutions.
    mutating func didReceive(satellites view: SatelliteView)
}

extension DecoderListener {
    /// `true`.
    public var wantsSentences: Bool { true }

    /// Does nothing.
    public mutating func didReceive(sentence: RawSentence) {}

    /// Does nothing.
    public mutating func didReceive(rejection: Rejection) {}

    /// Does nothing.
    public mutating func didReceive(tagBlock: TagBlock) {}

    /// Does nothing.
    public mutating func didReceive(fix: Fix, satellites view: SatelliteView) {}

    /// Does nothing.
    public mutating func didReceive(satellites view: SatelliteView) {}
}

/// Passes everything on as events.
struct EventListener: DecoderListener {
    let handle: (DecoderEvent) -> Void

    func didReceive(sentence: RawSentence) { handle(.sentence(sentence)) }
    func didReceive(rejection: Rejection) { handle(.rejected(rejection)) }
    func didReceive(tagBlock: TagBlock) { handle(.tagBlock(tagBlock)) }
    func didReceive(fix: Fix, satellites view: SatelliteView) { handle(.fix(fix, view)) }
    func didReceive(satellites view: SatelliteView) { handle(.satellites(view)) }
}
