// SPDX-License-Identifier: MIT

extension NMEADecoder {
    /// Takes the next bytes of the stream and hands over what comes of them.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (DecoderEvent) -> Void) {
        listen(handle) { push(bytes, to: &$0) }
    }

    /// Takes the end of the stream: a pending sentence and a pending epoch are handed over.
    public mutating func finish(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { finish(to: &$0) }
    }

    /// Takes note that a live line has been silent for `silenceTolerance`: the epoch is over, and
    /// so is the wait for a binary frame's end.
    public mutating func silence(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { silence(to: &$0) }
    }

    /// Resets everything learned about the stream; call after reopening the port.
    public mutating func restart(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { restart(to: &$0) }
    }
}

/// Calls `body` with a listener that passes everything on as events.
private func listen(_ handle: (DecoderEvent) -> Void, _ body: (inout EventListener) -> Void) {
    withoutActuallyEscaping(handle) { handle in
        var listener = EventListener(handle: handle)
        body(&listener)
    }
}
