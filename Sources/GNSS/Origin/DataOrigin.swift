// SPDX-License-Identifier: MIT

/// The original source of data, shown wherever the data is shown.
///
/// The raw value is used in messages, formats and stored locations.
public enum DataOrigin: String, Sendable {
    /// A receiver, in real time.
    case live
    /// A recording.
    case replay
    /// A simulated receiver.
    case simulated
    /// Not known yet: the first position decides; for a pipe, its time.
    case unknown

    /// Whether the data may come from a receiver in real time.
    package var mayBeLive: Bool { self == .live || self == .unknown }
}

extension DataOrigin {
    private static let mark = "# origin: "

    /// The line of a recording that names its origin, with CR LF.
    package var recordingLine: String { "\(Self.mark)\(rawValue)\r\n" }

    /// Reads an origin line; `nil` for any other line.
    package init?(recordingLine line: ArraySlice<UInt8>) {
        guard line.starts(with: Self.mark.utf8) else { return nil }
        let name = line.dropFirst(Self.mark.utf8.count).prefix { $0 > 0x20 }
        self.init(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// Reads the origin from the first bytes of a recording: `.simulated` if an origin line names it,
    /// else `.replay`.
    package init(recordingHead head: some Collection<UInt8>) {
        let lines = head.prefix(4096).split(separator: 0x0A).prefix {
            $0.first == UInt8(ascii: "#")
        }
        let named = lines.lazy.compactMap { DataOrigin(recordingLine: ArraySlice($0)) }.first
        self = named == .simulated ? .simulated : .replay
    }
}
