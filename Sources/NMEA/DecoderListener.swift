// SPDX-License-Identifier: MIT
public import GNSS

/// Who takes what a decoder makes of a stream, each kind by a method of its own.
///
/// This is the fast way: a fix is large, and here it is not wrapped in a `DecoderEvent`. What a
/// listener does not implement passes it by.
public protocol DecoderListener {
    /// Whether it wants sentences; by default it does. Asked for every piece of the stream.
    var takesSentences: Bool { get }

    /// Takes a sentence with a right checksum, whatever the decoder made of it.
    mutating func take(_ sentence: RawSentence)

    /// Takes what started like a sentence and is none.
    mutating func take(_ rejection: Rejection)

    /// Takes a TAG block; it belongs to the sentence that follows.
    mutating func take(_ tagBlock: TagBlock)

    /// Takes an epoch's fix; the view is the last complete one, with the satellites of this fix.
    ///
    /// The fix is `inout` since it is large and would be copied otherwise; it is read by nobody else,
    /// so that whoever changes it changes nothing.
    mutating func take(_ fix: inout Fix, _ view: SatelliteView)

    /// Takes a view when its lists of satellites are complete.
    mutating func take(_ view: SatelliteView)
}

extension DecoderListener {
    /// It does.
    public var takesSentences: Bool { true }

    /// Nothing.
    public mutating func take(_ sentence: RawSentence) {}

    /// Nothing.
    public mutating func take(_ rejection: Rejection) {}

    /// Nothing.
    public mutating func take(_ tagBlock: TagBlock) {}

    /// Nothing.
    public mutating func take(_ fix: inout Fix, _ view: SatelliteView) {}

    /// Nothing.
    public mutating func take(_ view: SatelliteView) {}
}

/// A listener that makes events of it all.
struct EventListener: DecoderListener {
    let handle: (DecoderEvent) -> Void

    func take(_ sentence: RawSentence) { handle(.sentence(sentence)) }
    func take(_ rejection: Rejection) { handle(.rejected(rejection)) }
    func take(_ tagBlock: TagBlock) { handle(.tagBlock(tagBlock)) }
    func take(_ fix: inout Fix, _ view: SatelliteView) { handle(.fix(fix, view)) }
    func take(_ view: SatelliteView) { handle(.satellites(view)) }
}
