// SPDX-License-Identifier: MIT
package import GNSS

/// The positions of satellites, to find those above the horizon.
extension Ephemeris {
    /// Returns the Earth-fixed position in metres at a time in seconds since 6 January 1980, in the
    /// time of `toe`.
    package func position(at time: Double) -> Vector {
        message == .fdma
            ? positionByIntegration(time - Double(toe)) : positionOnEllipse(time - Double(toe))
    }

    /// Returns the elevation in degrees, as seen from a place at sea level.
    package func elevation(at time: Double, from place: Coordinate) -> Double {
        let direction = position(at: time) - WGS84.position(of: place, height: 0)
        let local = WGS84.local(direction, at: place)
        return PortableMath.asin(local.up / direction.length).degrees
    }

    /// The rotation of the Earth in radians per second.
    package static let rotation = 7.292_115_146_7e-5
    /// The Earth's gravity in m³/s², as GPS's interface document has it. Those of others differ by
    /// less than matters here.
    package static let gravity = 3.986_005e14

    /// Solves Kepler's equation. `elapsed` is the time since `toe` in seconds.
    private func positionOnEllipse(_ elapsed: Double) -> Vector {
        let semiMajor = value(.rootA) * value(.rootA)
        let eccentricity = value(.e)
        let rate =
            (Self.gravity / (semiMajor * semiMajor * semiMajor)).squareRoot() + value(.deltaN)
        let anomaly = value(.m0) + rate * elapsed
        var eccentric = anomaly
        for _ in 0..<8 {
            let (sine, cosine) = PortableMath.sinCos(eccentric)
            eccentric -= (eccentric - eccentricity * sine - anomaly) / (1 - eccentricity * cosine)
        }
        let (sine, cosine) = PortableMath.sinCos(eccentric)
        let minor = (1 - eccentricity * eccentricity).squareRoot()
        let mean = PortableMath.atan2(minor * sine, cosine - eccentricity) + value(.omega)
        let twice = PortableMath.sinCos(2 * mean)
        let latitude = mean + value(.cus) * twice.sin + value(.cuc) * twice.cos
        let radius =
            semiMajor * (1 - eccentricity * cosine) + value(.crs) * twice.sin
            + value(.crc) * twice.cos
        let inclination =
            value(.i0) + value(.iDot) * elapsed + value(.cis) * twice.sin
            + value(.cic) * twice.cos
        // BeiDou gives the orbits of stationary satellites on a plane that is inclined by 5°, and
        // does not turn with the Earth.
        let isStationary = message == .d2
        let node =
            value(.omega0) + (value(.omegaDot) - (isStationary ? 0 : Self.rotation)) * elapsed
            - Self.rotation * value(.toe)
        let along = PortableMath.sinCos(latitude)
        let ascending = PortableMath.sinCos(node)
        let tilt = PortableMath.sinCos(inclination)
        let position = Vector(
            x: radius * (along.cos * ascending.cos - along.sin * tilt.cos * ascending.sin),
            y: radius * (along.cos * ascending.sin + along.sin * tilt.cos * ascending.cos),
            z: radius * along.sin * tilt.sin)
        guard isStationary else { return position }
        let plane = PortableMath.sinCos(-5.0.radians)
        let turned = (
            y: position.y * plane.cos + position.z * plane.sin,
            z: position.z * plane.cos - position.y * plane.sin
        )
        let turn = PortableMath.sinCos(Self.rotation * elapsed)
        return Vector(
            x: position.x * turn.cos + turned.y * turn.sin,
            y: turned.y * turn.cos - position.x * turn.sin, z: turned.z)
    }

    /// Integrates the equations of motion of GLONASS's interface document by Runge-Kutta's method.
    private func positionByIntegration(_ elapsed: Double) -> Vector {
        /// Position and velocity in metres and seconds; the last two numbers are not used.
        typealias Motion = SIMD8<Double>
        let push = SIMD3(value(.ddx), value(.ddy), value(.ddz)) * 1000
        func change(_ motion: Motion) -> Motion {
            let (x, y, z) = (motion[0], motion[1], motion[2])
            let squared = x * x + y * y + z * z
            let pull = Self.gravity / (squared * squared.squareRoot())
            let flattening =
                1.5 * 1.082_625_7e-3 * WGS84.semiMajor * WGS84.semiMajor / squared
            let polar = 5 * z * z / squared
            let across = pull * (1 + flattening * (1 - polar))
            let (turn, twice) = (Self.rotation * Self.rotation, 2 * Self.rotation)
            return Motion(
                motion[3], motion[4], motion[5],
                (turn - across) * x + twice * motion[4] + push.x,
                (turn - across) * y - twice * motion[3] + push.y,
                -pull * (1 + flattening * (3 - polar)) * z + push.z, 0, 0)
        }
        var motion = Motion(
            value(.x), value(.y), value(.z), value(.dx), value(.dy), value(.dz), 0, 0)
        motion *= 1000
        // An hour of steps of a minute; beyond that, the position is not known anyway.
        let count = min(60, Int((elapsed.magnitude / 60).rounded(.up)))
        let step = count > 0 ? max(-3600, min(3600, elapsed)) / Double(count) : 0
        for _ in 0..<count {
            let first = change(motion)
            let second = change(motion + first * (step / 2))
            let third = change(motion + second * (step / 2))
            let fourth = change(motion + third * step)
            motion += (first + 2 * second + 2 * third + fourth) * (step / 6)
        }
        return Vector(x: motion[0], y: motion[1], z: motion[2])
    }
}
