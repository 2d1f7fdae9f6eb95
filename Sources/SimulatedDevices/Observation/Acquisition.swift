// SPDX-License-Identifier: MIT

/// How long a receiver takes to find itself, in seconds.
public struct Acquisition: Hashable, Sendable {
    /// From the start until it knows the time.
    public var time: Double
    /// From the start until a fix in two dimensions.
    public var twoD: Double
    /// From the start until a fix in three.
    public var threeD: Double
    /// From the end of an outage until the next fix.
    public var reacquisition: Double

    /// Makes an acquisition; what comes later is taken to be no earlier than what comes before it.
    public init(time: Double, twoD: Double, threeD: Double, reacquisition: Double = 2) {
        self.time = max(0, time)
        self.twoD = max(self.time, twoD)
        self.threeD = max(self.twoD, threeD)
        self.reacquisition = max(0, reacquisition)
    }

    /// A fix with the first epoch.
    public static let instant = Acquisition(time: 0, twoD: 0, threeD: 0)
    /// Off for a moment: time, almanac and ephemerides are known.
    public static let hot = Acquisition(time: 0, twoD: 1, threeD: 1)
    /// Off for a night: ephemerides must be collected.
    public static let warm = Acquisition(time: 1, twoD: 22, threeD: 25)
    /// Nothing is known.
    public static let cold = Acquisition(time: 9, twoD: 26, threeD: 29)
}
