// SPDX-License-Identifier: MIT
import GNSS

extension NominalConstellation {
    /// The 24 slots of the GPS performance standard, of its epoch 1 July 1993, three of them expanded
    /// to two, and four satellites in the widest gaps: 31, as are usual.
    static let gps: [Orbit] = {
        let shape = Orbit.Shape(
            semiMajor: 26_559_700, inclination: 55, revolutions: 2, days: 1)
        let epoch = -2_376.5
        return gpsPlanes.flatMap { plane in
            plane.slots.compactMap { number, argument in
                SatelliteID(.gps, number).map {
                    Orbit($0, shape, node: plane.node, argument: argument, epoch: epoch)
                }
            }
        }
    }()

    /// A plane's node, and its satellites' numbers and arguments of latitude.
    private typealias Plane = (node: Double, slots: [(number: Int, argument: Double)])

    private static let gpsPlanes: [Plane] = [
        (272.847, [(24, 268.126), (31, 161.786), (30, 11.676), (7, 41.806), (9, 101.796)]),
        (332.847, [(16, 94.916), (26, 66.356), (25, 173.336), (28, 309.976), (12, 204.376)]),
        (32.847, [(29, 111.876), (27, 11.796), (8, 339.666), (17, 241.556), (19, 176.716)]),
        (92.847, [(2, 135.226), (1, 282.676), (11, 257.976), (21, 35.156), (6, 167.356)]),
        (
            152.847,
            [
                (3, 197.046), (10, 302.596), (5, 66.066), (20, 333.686), (18, 131.556),
                (22, 249.821),
            ]
        ),
        (212.847, [(32, 238.886), (15, 0.456), (13, 334.016), (23, 105.206), (14, 135.346)]),
    ]
}
