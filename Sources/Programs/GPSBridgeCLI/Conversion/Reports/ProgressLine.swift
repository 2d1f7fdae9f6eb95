// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Shows the progress of long work on one line of a terminal.
struct ProgressLine {
    /// How long the work must take before progress is shown.
    private static let timeout = Duration.seconds(1)
    private static let step = Duration.milliseconds(200)

    private let total: Int
    private let isShown: Bool
    private let start = MonotonicInstant.now
    private var next: MonotonicInstant
    private var done = 0
    private var isOnScreen = false

    /// Creates a progress line. `total` is the number of bytes to process; 0 if it is not known.
    init(total: Int, isSilent: Bool) {
        self.total = total
        isShown = !isSilent && isatty(STDERR_FILENO) == 1
        next = .now + Self.timeout
    }

    /// Adds to the number of processed bytes, and updates the line every 200 ms.
    mutating func advance(by count: Int) {
        done += count
        guard isShown else { return }
        let now = MonotonicInstant.now
        guard now >= next else { return }
        next = now + Self.step
        let speed = Double(done) / max(0.001, now.seconds(since: start))
        var text = "\(done / 1_000_000) MB, \(Int(speed / 1e6)) MB/s"
        if total > 0 {
            let percent = min(100, done * 100 / total)
            let rest = Int(Double(max(0, total - done)) / max(1, speed))
            text = "\(percent) %, \(text), \(rest) s to go"
        }
        show("\r\(text)\u{1B}[K")
        isOnScreen = true
    }

    /// Removes the line from the terminal.
    mutating func clear() {
        if isOnScreen { show("\r\u{1B}[K") }
        isOnScreen = false
    }

    private func show(_ text: String) {
        let bytes = Array(text.utf8)
        // A failed write to standard error cannot be reported.
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
