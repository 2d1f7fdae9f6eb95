// SPDX-License-Identifier: MIT

extension NMEADecoder {
    /// Takes the next bytes of the stream and hands over what comes of them.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (DecoderEvent) -> Void) {
        withoutActuallyEscaping(handle) { handle in
            var listener = EventListener(handle: handle)
            push(bytes, to: &listener)
        }
    }

    /// Takes the end of the stream: a pending sentence and a pending epoch are handed over.
    public mutating func finish(_ handle: (DecoderEvent) -> Void) {
        withoutActuallyEscaping(handle) { handle in
            var listener = EventListener(handle: handle)
            finish(to: &listener)
        }
    }

    /// Takes note that a live line has been silent for `silenceTolerance`: the epoch is over, and
    /// so is the wait for a binary frame's end.
    public mutating func silence(_ handle: (DecoderEvent) -> Void) {
        withoutActuallyEscaping(handle) { handle in
            var listener = EventListener(handle: handle)
            silence(to: &listener)
        }
    }

    /// Resets everything learned about the stream; call after reopening the port.
    public mutating func restart(_ handle: (DecoderEvent) -> Void) {
        withoutActuallyEscaping(handle) { handle in
            var listener = EventListener(handle: handle)
            restart(to: &listener)
        }
    }
}
