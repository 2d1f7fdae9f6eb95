// SPDX-License-Identifier: MIT

/// Determines the origin of data from a pipe, a pseudo terminal or the network, from its fixes.
///
/// The origin is unknown until a fix has a position. A fix that the receiver marks as simulated is simulated.
/// Other fixes from the network or a terminal are live. A pipe may hold data of any age: it is live while
/// its times are within `tolerance` of the clock, else a recording, and unknown as long as it has no date.
/// A recording may name its origin: that of a simulated receiver stays simulated.
package struct OriginDetector: Hashable, Sendable {
    /// Seconds by which the time of a live fix may differ from the clock, because of its cycle, a slow
    /// line or an inaccurate clock.
    package static let tolerance = 10.0

    /// The origin of the last fix.
    package private(set) var origin: DataOrigin
    /// Whether the times of fixes must be compared with the clock.
    package let needsClock: Bool

    /// Creates a detector with the origin that the source reports. A source that can pause, such as a
    /// pipe, may hold data of any age.
    package init(origin: DataOrigin, canPause: Bool) {
        self.origin = origin
        needsClock = origin == .unknown && canPause
        isFixed = !origin.mayBeLive
    }

    /// Updates the origin if a line of a recording is an origin line; ignores other lines.
    package mutating func received(line: ArraySlice<UInt8>) {
        guard line.first == UInt8(ascii: "#"), let named = DataOrigin(recordingLine: line) else {
            return
        }
        origin = named == .simulated ? .simulated : .replay
    }

    /// Whether the source is a recording, or simulated by this program.
    private let isFixed: Bool

    /// Whether implausible dates are errors of the receiver and not the dates of an old recording.
    package var mayCorrectDates: Bool { !isFixed && !needsClock }

    /// Updates the origin from a fix with a position. `lateness` is the arrival time minus the time of
    /// the fix, in seconds; `nil` if the fix has no date.
    package mutating func received(isSimulated: Bool, lateness: Double?) {
        guard !isFixed else { return }
        if isSimulated {
            origin = .simulated
        } else if !needsClock {
            origin = .live
        } else if let lateness {
            origin = abs(lateness) <= Self.tolerance ? .live : .replay
        }
    }
}
