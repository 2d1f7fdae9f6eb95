// SPDX-License-Identifier: MIT
public import Devices
public import GNSS

/// Where fixes come from, as written beside them.
public struct OutputSource: Hashable, Sendable {
    /// The receiver's or the recording's name.
    public var name: String

    /// Whether they are live, recorded or simulated.
    public var origin: DataOrigin

    /// Creates a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Whether all fixes are simulated.
    var isSimulated: Bool { origin == .simulated }

    /// Whether a fix of this source is simulated, also by the receiver's own account.
    public func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// How files name the origin of a fix.
    func originName(isSimulated: Bool) -> StaticString {
        if isSimulated { return "simulated" }
        return origin == .replay ? "replay" : "live"
    }
}
