// SPDX-License-Identifier: MIT

/// The reason for not using a receiver's time.
package enum ClockObstacle: Hashable, Sendable {
    /// The source's data is not of now.
    case simulated, replayed
    /// The delay of the source is not known.
    case noLine, pseudoTerminal
    /// The receiver's present fixes do not allow it.
    case noTime, noFix, estimated, suspectDate, neverSilent
    /// The first fixes of a row.
    case settling

    /// In words, after "the time of … is not used: ".
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
        case .settling: "there have been fewer than three valid fixes in a row"
        }
    }
}
