// SPDX-License-Identifier: MIT

/// The reason why a receiver's time is not used.
package enum ClockObstacle: Hashable, Sendable {
    /// The data is simulated.
    case simulated
    /// The data comes from a recording.
    case replayed
    /// The source's delay is unknown, because it is not a serial line.
    case noLine
    /// The source's delay is unknown, because it is a pseudo terminal.
    case pseudoTerminal
    /// The receiver sends no date and time.
    case noTime
    /// The receiver has no fix.
    case noFix
    /// The receiver estimates its position (dead reckoning), or the position was entered manually.
    case estimated
    /// The date may be wrong by a multiple of 1024 weeks.
    case suspectDate
    /// The time may be a second or more off, because the receiver does not know the leap seconds.
    case inaccurateTime
    /// The serial line is never silent, so the start of a burst cannot be detected.
    case neverSilent
    /// There is strong evidence that the position or the time is false.
    case alarm
    /// There are several clocks, and each follows another receiver.
    case otherReceiver
    /// The last fix is suitable, but does not follow three consecutive suitable fixes.
    case settling

    /// The reason as text that follows "the time of … is not used: ".
    package var description: String {
        switch self {
        case .simulated: "it is simulated"
        case .replayed: "it comes from a recording"
        case .noLine: "its delay is not known, because it does not come from a serial line"
        case .pseudoTerminal: "its delay is not known, because it comes from a pseudo terminal"
        case .noTime: "the receiver reports no date and time"
        case .noFix: "the receiver has no fix"
        case .estimated: "the receiver estimates its position"
        case .suspectDate: "its date may be 1024 weeks off"
        case .inaccurateTime:
            "it may be a second off: the receiver does not know the leap seconds yet"
        case .neverSilent:
            "the line is never silent, so the first byte of an epoch is not found: raise the baud rate, or "
                + "configure the receiver to send fewer sentences"
        case .alarm: "there is an integrity alarm"
        case .otherReceiver:
            "the clocks follow other receivers, in the order in which both are given"
        case .settling: "fewer than four valid fixes have been received in a row"
        }
    }
}
