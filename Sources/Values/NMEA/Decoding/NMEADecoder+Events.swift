// SPDX-License-Identifier: MIT

extension NMEADecoder {
    /// Decodes the next bytes of the stream and passes the results to `handle`.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (DecoderEvent) -> Void) {
        listen(handle) { push(bytes, to: &$0) }
    }

    /// Ends the stream, and passes the results of a pending sentence and a pending epoch to
    /// `handle`.
    public mutating func finish(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { finish(to: &$0) }
    }

    /// Ends the current epoch, and stops waiting for a line end, and for the rest of a binary frame
    /// that a complete sentence or frame follows: its header is probably noise. Any other partial
    /// sentence or frame is kept. Call it when a live line has been silent for `silenceTolerance`.
    public mutating func silence(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { silence(to: &$0) }
    }

    /// Resets everything learned about the stream. Call it after reopening the port.
    public mutating func restart(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { restart(to: &$0) }
    }
}

// The compiler adds a check that the closure has not escaped, which contains the name of this file.
// Without a `#sourceLocation`, it would also contain the length of the full path in spite of
// `-file-prefix-map`, and the compiled program would depend on its build folder.
#sourceLocation(file:"NMEADecoder+Events.listen",line:30)
/// Calls `body` with a listener that passes all results to `handle`.
private func listen(_ handle: (DecoderEvent) -> Void, _ body: (inout EventListener) -> Void) {
    // Safety: the listener is not used after this call.
    withoutActuallyEscaping(handle) { handle in
        var listener = EventListener(handle: handle)
        body(&listener)
    }
}
#sourceLocation()
