// SPDX-License-Identifier: MIT

/// The reason why a receiver's time is not used.
package enum ClockObstacle: String, Hashable, Sendable {
    /// The data is simulated.
    case simulated = "it is simulated"
    /// The data comes from a recording.
    case replayed = "it comes from a recording"
    /// The source's delay is unknown, because it is not a serial line.
    case noLine = "its delay is not known, because it does not come from a serial line"
    /// The source's delay is unknown, because it is a pseudo terminal.
    case pseudoTerminal = "its delay is not known, because it comes from a pseudo terminal"
    /// The receiver sends no date and time.
    case noTime = "the receiver reports no date and time"
    /// The receiver has no fix.
    case noFix = "the receiver has no fix"
    /// The receiver estimates its position (dead reckoning), or the position was entered manually
    /// and the receiver does not report the accuracy of its time.
    case estimated = "the receiver estimates its position"
    /// The date may be wrong by a multiple of 1024 weeks, or is too far from this release.
    case suspectDate = "its date is wrong or may be 1024 weeks off (a rollover of the GPS week)"
    /// The time may be a second or more off, because the receiver does not know the leap seconds.
    case inaccurateTime =
        "it may be a second off, because the receiver does not know the leap seconds yet: wait some minutes"
    /// The data has waited in a buffer, or the receiver's time has jumped.
    case jump = "the data arrived late, or the time has jumped"
    /// The serial line is never silent, so the start of a burst cannot be detected.
    case neverSilent = """
        the line is never silent, so the first byte of an epoch is not found: raise the baud rate, or \
        configure the receiver to send fewer sentences
        """
    /// There is strong evidence that the position or the time is false.
    case alarm = "there is an integrity alarm"
    /// There are several clock services, and each uses the time of a receiver other than this one.
    case otherReceiver = """
        each --chrony and --shm uses another receiver: the first one uses the first receiver, \
        and so on
        """
    /// The last fix is suitable, but does not follow three consecutive suitable fixes.
    case settling = "fewer than four valid fixes have been received in a row"

    /// The reason as text that follows "the time from … is not passed to chronyd or
    /// NTP's shared memory: ".
    package var description: String { rawValue }
}
