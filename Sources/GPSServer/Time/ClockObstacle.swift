// SPDX-License-Identifier: MIT

/// The reason why a receiver's time is not used.
package enum ClockObstacle: Hashable, Sendable {
    /// The data is not current.
    case simulated, replayed
    /// The delay of the source is unknown.
    case noLine, pseudoTerminal
    /// The current fixes are not suitable.
    case noTime, noFix, estimated, suspectDate, neverSilent
    /// There is strong evidence that the position or the time is false.
    case alarm
    /// Fewer than three valid fixes in a row.
    case settling

    /// The text after "the time of … is not used: ".
    package var description: String {
        switch self {
        case .simulated: "it is simulated"
        case .replayed: "it is of a recording"
        case .noLine: "how late it is, is not known, as it does not come from a serial line"
        case .pseudoTerminal: "how late it is, is not known, as it comes from a pseudo terminal"
        case .noTime: "the receiver reports no date and time"
        case .noFix: "the receiver has no fix"
        case .estimated: "the receiver estimates its position"
        case .suspectDate: "its date may be 1024 weeks off"
        case .neverSilent:
            "the line is never silent, so that no epoch's first byte is found: raise the baud rate, or have "
                + "the receiver send fewer sentences"
        case .alarm: "there is an integrity alarm"
        case .settling: "there have been fewer than three valid fixes in a row"
        }
    }
}
