// SPDX-License-Identifier: MIT
import GNSS

/// A format that writes its output to a text buffer.
protocol TextFormat: OutputFormat {
    /// The output that has not been drained.
    var text: TextBuffer { get set }
}

extension TextFormat {
    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }
}
