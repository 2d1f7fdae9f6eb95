// SPDX-License-Identifier: MIT
import Glibc

/// Writes messages to standard error; data goes to standard output.
package enum StandardError {
    /// Writes one line. With a limit, drops the line if the reader has no room for it in time.
    package static func print(_ text: String, limit milliseconds: CInt? = nil) {
        let line = Array("gpsbridge: \(TerminalText.safe(text))\n".utf8)
        if let milliseconds {
            var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, milliseconds) > 0 else { return }
        }
        // A failed write to standard error cannot be reported.
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        ServiceManager.shared?.report(text)
    }

    /// Reports that a source has no valid sentence. `limit` is in milliseconds.
    package static func reportNoSentence(in name: String, limit: CInt? = nil) {
        print("no valid sentence in \(name == "-" ? "standard input" : name)", limit: limit)
    }
}
