// SPDX-License-Identifier: MIT

/// A vector with three components: a position in metres, or a direction.
package struct Vector: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    package var length: Double { (x * x + y * y + z * z).squareRoot() }

    package func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

    package static func - (a: Vector, b: Vector) -> Vector {
        Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
    }
}
