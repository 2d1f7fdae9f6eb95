// SPDX-License-Identifier: MIT
import CGPSCurses
import GPSViews
import Glibc

/// Changes of the terminal that are handled before the next frame.
struct ScreenNotes: OptionSet {
    let rawValue: UInt32

    /// The window has another size.
    static let resized = ScreenNotes(rawValue: ccurses_resized.rawValue)
    /// The program is to stop (SIGTSTP).
    static let stopping = ScreenNotes(rawValue: ccurses_stopping.rawValue)
    /// The program goes on (SIGCONT).
    static let continued = ScreenNotes(rawValue: ccurses_continued.rawValue)
}

extension ClockReading {
    /// This instant, by the system's clocks.
    static var now: ClockReading {
        func read(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        return ClockReading(unix: read(CLOCK_REALTIME), steady: read(CLOCK_MONOTONIC))
    }
}
