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
