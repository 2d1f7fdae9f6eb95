// SPDX-License-Identifier: MIT
public import Devices
public import GNSS

/// Where fixes come from, as it is written beside them.
public struct OutputSource: Sendable {
    /// The receiver's or the recording's name.
    public var name: String

    /// Whether they are live, recorded or invented.
    public var origin: DataOrigin

    /// Makes a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Whether all of it is invented.
    var isSimulated: Bool { origin == .simulated }

    /// Whether a fix from here is made up: also one whose receiver says so itself.
    public func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// How files name the origin of a fix.
    func word(simulated: Bool) -> String {
        if simulated { return "simulated" }
        return origin == .replay ? "replay" : "live"
    }
}
