// SPDX-License-Identifier: MIT
import Glibc

/// Where messages go; data goes to standard output.
enum StandardError {
    /// Writes one line.
    static func say(_ text: String) {
        let line = Array("gpsbridge: \(TerminalText.safe(text))\n".utf8)
        // A failed write to standard error cannot be reported.
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        ServiceManager.shared?.say(text)
    }

    /// Reports that there was no valid sentence.
    static func sayNothingValid(in name: String) {
        say("there is no valid sentence in \(name == "-" ? "standard input" : name)")
    }
}
