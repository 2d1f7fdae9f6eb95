// SPDX-License-Identifier: MIT

/// Determines the origin of data from a pipe, a pseudo terminal or the network, from its fixes.
///
/// The origin is unknown until a fix has a position. If the receiver reports that the fix is simulated, it is.
/// Otherwise what comes from the network or a terminal is live. A pipe may hold data of any age: it is
/// live while its times are within `tolerance` of the clock, else a recording, and stays unknown as long as
/// it has no date. A recording may name its origin itself: one of a simulated receiver stays simulated.
package struct OriginDetector: Hashable, Sendable {
    /// Seconds by which the time of a live fix may differ from the clock: a cycle, a slow line, a clock that is not
    /// quite right.
    package static let tolerance = 10.0

    /// The origin of the last fix.
    package private(set) var origin: DataOrigin
    /// Whether the time of fixes has to be compared with the clock.
    package let needsClock: Bool

    /// Begins with the origin that the source itself knows. A source that can wait for its consumers, as a pipe can,
    /// may hold data of any age.
    package init(origin: DataOrigin, canPause: Bool) {
        self.origin = origin
        needsClock = origin == .unknown && canPause
        isFixed = !origin.mayBeLive
    }

    /// Call with the lines of a recording: those of our own format name the origin of what follows.
    package mutating func received(line: ArraySlice<UInt8>) {
        guard line.first == UInt8(ascii: "#"), let named = DataOrigin(recordingLine: line) else {
            return
        }
        origin = named == .simulated ? .simulated : .replay
    }

    /// Whether the source is a recording, or simulated by this program.
    private let isFixed: Bool

    /// Whether impossible dates are a receiver's mistake, and not those of an old recording.
    package var mayCorrectDates: Bool { !isFixed && !needsClock }

    /// Call with every fix that has a position. `lateness` is how many seconds its time is before that of
    /// its arrival; `nil` where it has no date.
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
