// SPDX-License-Identifier: MIT
import Glibc

/// The output for messages; data is written to standard output.
package enum StandardError {
    /// Writes one line. With a limit, the line is dropped if no reader has room for it in time.
    package static func say(_ text: String, limit milliseconds: CInt? = nil) {
        let line = Array("gpsbridge: \(TerminalText.safe(text))\n".utf8)
        if let milliseconds {
            var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, milliseconds) > 0 else { return }
        }
        // A failed write to standard error cannot be reported.
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        ServiceManager.shared?.say(text)
    }

    /// Reports that a source had no valid sentence; `limit` is that of `say`.
    package static func sayNothingValid(in name: String, limit: CInt? = nil) {
        say("there is no valid sentence in \(name == "-" ? "standard input" : name)", limit: limit)
    }
}
