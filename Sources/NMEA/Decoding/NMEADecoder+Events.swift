// SPDX-License-Identifier: MIT

extension NMEADecoder {
    /// Decodes the next bytes of the stream and passes the results to `handle`.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (DecoderEvent) -> Void) {
        listen(handle) { push(bytes, to: &$0) }
    }

    /// Ends the stream: completes a pending sentence and a pending epoch.
    public mutating func finish(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { finish(to: &$0) }
    }

    /// Ends the epoch and the wait for the end of a binary frame; call when a live line has been
    /// silent for `silenceTolerance`.
    public mutating func silence(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { silence(to: &$0) }
    }

    /// Resets everything learned about the stream; call after reopening the port.
    public mutating func restart(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { restart(to: &$0) }
    }
}

// The check that the closure has not escaped has the name of this file in the program. Of a whole path, the compiler
// writes the length before `-file-prefix-map`: the program would depend on the folder in which it is built.
#sourceLocation(file:"NMEADecoder+Events.listen",line:30)
/// Calls `body` with a listener that passes all results to `handle`.
private func listen(_ handle: (DecoderEvent) -> Void, _ body: (inout EventListener) -> Void) {
    withoutActuallyEscaping(handle) { handle in
        var listener = EventListener(handle: handle)
        body(&listener)
    }
}
#sourceLocation()
