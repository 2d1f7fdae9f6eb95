// SPDX-License-Identifier: MIT

/// Where bytes come from in the end; shown wherever the data is shown.
///
/// The raw value is its name in messages, formats and stored locations.
public enum DataOrigin: String, Sendable {
    /// A receiver, now.
    case live
    /// A recording.
    case replay
    /// A simulated receiver.
    case simulated
    /// Not known yet: the first position decides, and of a pipe its time.
    case unknown

    /// Whether the bytes may be those of a receiver, now.
    package var mayBeLive: Bool { self == .live || self == .unknown }
}

extension DataOrigin {
    private static let mark = "# origin: "

    /// The line of a recording that names it, with CR LF.
    package var recordingLine: String { "\(Self.mark)\(rawValue)\r\n" }

    /// Reads such a line; `nil` for any other.
    package init?(recordingLine line: ArraySlice<UInt8>) {
        guard line.starts(with: Self.mark.utf8) else { return nil }
        let name = line.dropFirst(Self.mark.utf8.count).prefix { $0 > 0x20 }
        self.init(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// The origin of the data in a recording, by its first bytes: simulated where these name it so.
    package init(recordingHead head: some Collection<UInt8>) {
        let lines = head.prefix(4096).split(separator: 0x0A).prefix {
            $0.first == UInt8(ascii: "#")
        }
        let named = lines.lazy.compactMap { DataOrigin(recordingLine: ArraySlice($0)) }.first
        self = named == .simulated ? .simulated : .replay
    }
}
