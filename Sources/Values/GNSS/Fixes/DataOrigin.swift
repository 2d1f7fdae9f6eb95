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
