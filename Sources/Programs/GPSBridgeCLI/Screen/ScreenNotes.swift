// SPDX-License-Identifier: MIT
import CGPSCurses
import GNSS
import GPSIO
import GPSViews

/// Events to handle before the next frame: changes of the terminal, alarms and requests.
struct ScreenNotes: OptionSet {
    let rawValue: UInt32

    /// The size of the terminal has changed (SIGWINCH).
    static let resized = ScreenNotes(rawValue: ccurses_resized.rawValue)
    /// The program is being stopped (SIGTSTP).
    static let stopping = ScreenNotes(rawValue: ccurses_stopping.rawValue)
    /// The program continues (SIGCONT).
    static let continued = ScreenNotes(rawValue: ccurses_continued.rawValue)
    /// An alarm has begun.
    static let alarm = ScreenNotes(rawValue: 1 << 16)
    /// The user has requested that every cell is redrawn.
    static let repaint = ScreenNotes(rawValue: 1 << 17)
}

extension ClockReading {
    /// The current readings of the system's clocks.
    static var now: ClockReading {
        ClockReading(
            unix: SystemClock.nanoseconds ?? 0, steady: MonotonicInstant.now.nanoseconds)
    }
}
