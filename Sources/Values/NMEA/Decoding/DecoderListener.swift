// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// Receives the results of decoding a stream, with one method for each kind.
///
/// This interface is faster than `DecoderEvent`, because a fix, which is large, need not be copied
/// into an event. Every method has a default implementation that does nothing.
public protocol DecoderListener {
    /// Whether `didReceive(sentence:)` is called. It is read for every chunk of the stream.
    /// Default: `true`.
    var wantsSentences: Bool { get }

    /// Called for a sentence with a valid checksum, whether or not it was decoded.
    mutating func didReceive(sentence: RawSentence)

    /// Called for bytes that start like a sentence but are not valid.
    mutating func didReceive(rejection: Rejection)

    /// Called for a UBX frame, whether or not it was decoded. If the frame completes a fix or a
    /// satellite view, the method for the fix or view is called first.
    mutating func didReceive(frame: UBXFrame)

    /// Called for a TAG block. It belongs to the sentence that follows.
    mutating func didReceive(tagBlock: TagBlock)

    /// Called for the fix of an epoch. The view is the last complete one, marked with the
    /// satellites that this fix uses.
    mutating func didReceive(fix: Fix, satellites view: SatelliteView)

    /// Called when the lists of the satellites in view and the fix of their epoch are complete.
    ///
    /// `didReceive(fix:satellites:)` has already been called for that fix. The view contains the
    /// satellites used and the DOPs of that fix.
    mutating func didReceive(satellites view: SatelliteView)
}

extension DecoderListener {
    /// By default, `true`: `didReceive(sentence:)` is called.
    public var wantsSentences: Bool { true }

    /// Does nothing.
    public mutating func didReceive(sentence: RawSentence) {}

    /// Does nothing.
    public mutating func didReceive(rejection: Rejection) {}

    /// Does nothing.
    public mutating func didReceive(frame: UBXFrame) {}

    /// Does nothing.
    public mutating func didReceive(tagBlock: TagBlock) {}

    /// Does nothing.
    public mutating func didReceive(fix: Fix, satellites view: SatelliteView) {}

    /// Does nothing.
    public mutating func didReceive(satellites view: SatelliteView) {}
}

/// Passes all results to a closure as events.
struct EventListener: DecoderListener {
    let handle: (DecoderEvent) -> Void

    func didReceive(sentence: RawSentence) { handle(.sentence(sentence)) }
    func didReceive(rejection: Rejection) { handle(.rejected(rejection)) }
    func didReceive(frame: UBXFrame) { handle(.ubx(frame)) }
    func didReceive(tagBlock: TagBlock) { handle(.tagBlock(tagBlock)) }
    func didReceive(fix: Fix, satellites view: SatelliteView) { handle(.fix(fix, view)) }
    func didReceive(satellites view: SatelliteView) { handle(.satellites(view)) }
}
