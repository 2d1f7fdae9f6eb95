// SPDX-License-Identifier: MIT

/// What an epoch measures and a fix tells: copied from the one to the other as a whole.
@usableFromInline
struct Measurements: Hashable, Sendable {
    @usableFromInline var latitude = Reading()
    @usableFromInline var longitude = Reading()
    @usableFromInline var altitude = Reading()
    @usableFromInline var ellipsoidalAltitude = Reading()
    @usableFromInline var geoidSeparation = Reading()
    @usableFromInline var speed = Reading()
    @usableFromInline var course = Reading()
    @usableFromInline var magneticCourse = Reading()
    @usableFromInline var magneticVariation = Reading()
    @usableFromInline var correctionAge = Reading()
    @usableFromInline var dilution = DilutionOfPrecision()

    @inlinable
    init() {}

    /// Both halves or none.
    @usableFromInline var coordinate: Coordinate? {
        @inlinable @inline(__always)
        get {
            guard let latitude = latitude.value, let longitude = longitude.value else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        @inlinable @inline(__always)
        set {
            latitude.value = newValue?.latitude
            longitude.value = newValue?.longitude
        }
    }
}
