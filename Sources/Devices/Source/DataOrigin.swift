// SPDX-License-Identifier: MIT

/// Where bytes come from in the end; shown wherever the data is shown.
public enum DataOrigin: Sendable {
    /// A receiver, now.
    case live
    /// A recording.
    case replay
    /// A simulated receiver.
    case simulated
}
