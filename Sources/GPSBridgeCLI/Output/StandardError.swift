// SPDX-License-Identifier: MIT
import Glibc

/// Where messages go; data goes to standard output.
enum StandardError {
    /// Says one line.
    static func say(_ text: String) {
        let line = Array("gpsbridge: \(TerminalText.safe(text))\n".utf8)
        // A failed write to standard error cannot be reported.
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        ServiceManager.shared?.say(text)
    }

    /// Says why there is no output, where that is because nothing could be understood.
    static func sayNothingValid(in name: String) {
        say("there is no valid sentence in \(name == "-" ? "standard input" : name)")
    }
}
