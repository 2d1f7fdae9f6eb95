// SPDX-License-Identifier: MIT

/// Solution in Earth-centred coordinates, of generations 4 to 7: `NAV-SOL`.
public struct NavSOL: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x06)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The fix is within the limits set for the receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Corrections were used.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// The week is valid.
        public var hasWeek: Bool { rawValue.hasBit(2) }
        /// The time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(3) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Nanoseconds to add to the time of week.
    public var nanoseconds: Int32 = 0
    /// Weeks since 6 January 1980.
    public var week: Int16 = 0
    /// How the position was determined.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// Metres, Earth-centred.
    public var x: Double = 0
    /// Metres, Earth-centred.
    public var y: Double = 0
    /// Metres, Earth-centred.
    public var z: Double = 0
    /// Metres, in three dimensions; `nil` if it is unknown.
    public var accuracy: Double?
    /// Metres per second.
    public var velocityX: Double = 0
    /// Metres per second.
    public var velocityY: Double = 0
    /// Metres per second.
    public var velocityZ: Double = 0
    /// Metres per second.
    public var speedAccuracy: Double = 0
    /// `nil` if it is unknown.
    public var positionDilution: Double?
    /// Satellites used.
    public var satellitesUsed: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&nanoseconds)
        coder.integer(&week)
        coder.value(&fixType)
        coder.value(&flags)
        coder.scaled(&x, Int32.self, per: 100)
        coder.scaled(&y, Int32.self, per: 100)
        coder.scaled(&z, Int32.self, per: 100)
        coder.scaled(&accuracy, UInt32.self, per: 100, absent: .max)
        coder.scaled(&velocityX, Int32.self, per: 100)
        coder.scaled(&velocityY, Int32.self, per: 100)
        coder.scaled(&velocityZ, Int32.self, per: 100)
        coder.scaled(&speedAccuracy, UInt32.self, per: 100)
        coder.scaled(&positionDilution, UInt16.self, per: 100, absent: 9999)
        coder.reserved(1)
        coder.integer(&satellitesUsed)
        coder.reserved(4)
    }
}
