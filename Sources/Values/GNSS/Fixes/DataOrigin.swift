// SPDX-License-Identifier: MIT

/// Where data comes from. It is shown wherever the data is shown.
///
/// The raw value is used in messages, formats and stored locations.
public enum DataOrigin: String, Sendable {
    /// Data from a receiver, in real time.
    case live
    /// Data from a recording.
    case replay
    /// Data from a simulated receiver.
    case simulated
    /// Not known yet. The first position determines the origin. For a pipe, the time of the
    /// position is compared with the clock; see `OriginDetector`.
    case unknown

    /// Whether the data comes, or may come, from a receiver in real time.
    package var mayBeLive: Bool { self == .live || self == .unknown }
}

extension DataOrigin {
    private static let mark = "# origin: "

    /// The comment line that states the origin in a recording, with CR LF: `# origin: replay`.
    package var recordingLine: String { "\(Self.mark)\(rawValue)\r\n" }

    /// Creates the origin that a `recordingLine` states. Returns `nil` for any other line.
    package init?(recordingLine line: ArraySlice<UInt8>) {
        guard line.starts(with: Self.mark.utf8) else { return nil }
        let name = line.dropFirst(Self.mark.utf8.count).prefix { $0 > 0x20 }
        self.init(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// Creates the origin of a recording from its first bytes: `.simulated` if the comments at its
    /// start state that, otherwise `.replay`.
    package init(recordingHead head: some Collection<UInt8>) {
        let lines = head.prefix(4096).split(separator: 0x0A).prefix {
            $0.first == UInt8(ascii: "#")
        }
        let named = lines.lazy.compactMap { DataOrigin(recordingLine: ArraySlice($0)) }.first
        self = named == .simulated ? .simulated : .replay
    }
}

/// Determines the origin of data from a pipe, a pseudo terminal or the network, from its fixes.
///
/// The origin is `unknown` until a fix has a position. Then it is `simulated` if the receiver marks
/// the fix as simulated, and otherwise `live` for the network and a terminal. A pipe can contain
/// data of any age: it is `live` if the time of the fix is within `tolerance` of the clock, and
/// otherwise `replay`; without a date, the origin does not change. A recording may state its origin
/// in a comment line.
package struct OriginDetector: Hashable, Sendable {
    /// The maximum difference between the time of a live fix and the clock, in seconds. It includes
    /// the duration of the cycle, the delay of a slow serial line and the error of an inaccurate
    /// clock.
    package static let tolerance = 10.0

    /// The origin of the last fix.
    package private(set) var origin: DataOrigin
    /// Whether the times of fixes are compared with the clock.
    package private(set) var needsClock: Bool
    /// Whether fixes cannot change the origin, because the source is a recording or is simulated by
    /// this program.
    package let isFixed: Bool

    /// Creates a detector with the origin that the source reports. `mayBeOld` is `true` for a
    /// source that can contain data of any age, such as a pipe.
    package init(origin: DataOrigin, mayBeOld: Bool) {
        self.origin = origin
        needsClock = origin == .unknown && mayBeOld
        isFixed = !origin.mayBeLive
    }

    /// Marks the data as a replay, because a server reports that it is one. A later fix with the
    /// current time is live again, because the server may have switched to another receiver.
    package mutating func stateReplay() {
        guard !isFixed else { return }
        (origin, needsClock) = (.replay, true)
    }

    /// Reverts `stateReplay()`, because the server reports that the replay has ended. The next fix
    /// determines the origin.
    package mutating func endReplay() {
        guard !isFixed else { return }
        (origin, needsClock) = (.unknown, false)
    }

    /// Updates the origin if a line is an origin line of a recording (`DataOrigin.recordingLine`).
    package mutating func received(line: ArraySlice<UInt8>) {
        guard line.first == UInt8(ascii: "#"), let named = DataOrigin(recordingLine: line) else {
            return
        }
        origin = named == .simulated ? .simulated : .replay
    }

    /// Whether an impossible date is an error of the receiver and can be corrected. If `false`, the
    /// date may be that of an old recording.
    package var mayCorrectDates: Bool { !isFixed && !needsClock }

    /// Updates the origin for a fix with a position. `lateness` is the arrival time minus the time
    /// of the fix, in seconds; `nil` if the fix has no date.
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
