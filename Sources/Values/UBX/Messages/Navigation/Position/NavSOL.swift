// SPDX-License-Identifier: MIT

/// The solution in Earth-centred coordinates, from chips of generations 4 to 7: `NAV-SOL`.
public struct NavSOL: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x06)

    /// The state of the solution, as in `NAV-STATUS`.
    public typealias Flags = NavSTATUS.Flags

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `timeOfWeekMilliseconds`.
    public var nanoseconds: Int32 = 0
    /// The number of weeks since 6 January 1980.
    public var week: Int16 = 0
    /// The type of the fix.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// The X coordinate in metres, Earth-centred.
    public var x: Double = 0
    /// The Y coordinate in metres, Earth-centred.
    public var y: Double = 0
    /// The Z coordinate in metres, Earth-centred.
    public var z: Double = 0
    /// The accuracy of the three-dimensional position in metres; `nil` if it is unknown.
    public var accuracy: Double?
    /// The velocity along the X axis in metres per second.
    public var velocityX: Double = 0
    /// The velocity along the Y axis in metres per second.
    public var velocityY: Double = 0
    /// The velocity along the Z axis in metres per second.
    public var velocityZ: Double = 0
    /// The accuracy of the speed in metres per second.
    public var speedAccuracy: Double = 0
    /// The position dilution of precision; `nil` if it is unknown.
    public var positionDilution: Double?
    /// The number of satellites used.
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
