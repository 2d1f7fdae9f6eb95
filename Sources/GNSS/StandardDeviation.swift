// SPDX-License-Identifier: MIT

/// How far off a receiver believes it is: one sigma, in metres.
public struct StandardDeviation: Hashable, Sendable {
    private var storedLatitude: Reading
    private var storedLongitude: Reading
    private var storedAltitude: Reading
    private var storedSemiMajor: Reading
    private var storedSemiMinor: Reading

    /// Makes deviations; what is not known is left out.
    public init(
        latitude: Double? = nil, longitude: Double? = nil, altitude: Double? = nil,
        semiMajor: Double? = nil, semiMinor: Double? = nil
    ) {
        storedLatitude = Reading(latitude)
        storedLongitude = Reading(longitude)
        storedAltitude = Reading(altitude)
        storedSemiMajor = Reading(semiMajor)
        storedSemiMinor = Reading(semiMinor)
    }

    /// To the north or south.
    public var latitude: Double? {
        get { storedLatitude.value }
        set { storedLatitude.value = newValue }
    }

    /// To the east or west.
    public var longitude: Double? {
        get { storedLongitude.value }
        set { storedLongitude.value = newValue }
    }

    /// Up or down.
    public var altitude: Double? {
        get { storedAltitude.value }
        set { storedAltitude.value = newValue }
    }

    /// Along the major axis of the error ellipse.
    public var semiMajor: Double? {
        get { storedSemiMajor.value }
        set { storedSemiMajor.value = newValue }
    }

    /// Along the minor axis of the error ellipse.
    public var semiMinor: Double? {
        get { storedSemiMinor.value }
        set { storedSemiMinor.value = newValue }
    }

    /// The root of the summed variances in the plane; from the ellipse where the halves are missing.
    public var horizontal: Double? {
        if let latitude, let longitude {
            return (latitude * latitude + longitude * longitude).squareRoot()
        }
        if let semiMajor, let semiMinor {
            return (semiMajor * semiMajor + semiMinor * semiMinor).squareRoot()
        }
        return nil
    }

    var isEmpty: Bool { horizontal == nil && altitude == nil }
}
