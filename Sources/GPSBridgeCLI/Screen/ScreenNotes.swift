// SPDX-License-Identifier: MIT
import CCurses
import Glibc
import Screen

/// What else there is to do before the next frame.
struct ScreenNotes: OptionSet {
    let rawValue: UInt32

    /// The window has another size.
    static let resized = ScreenNotes(rawValue: ccurses_resized.rawValue)
    /// The shell wants the terminal.
    static let stopping = ScreenNotes(rawValue: ccurses_stopping.rawValue)
    /// The terminal is ours again.
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
