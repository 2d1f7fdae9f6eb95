// SPDX-License-Identifier: MIT
import GNSS
package import GNSSNavigation
import UBX

/// The ephemerides that simulated satellites send.
extension Orbit {
    /// Returns the ephemeris that the satellite sends at a time in seconds since 6 January 1980, in
    /// GPS time; `nil` if the messages of its constellation are not simulated.
    package func ephemeris(at now: Int) -> Ephemeris? {
        switch id.constellation {
        // Until its time, two hours later, the next one is sent.
        case .gps, .qzss: ephemeris(.lnav, at: now, toe: now / 7200 * 7200 + 7200)
        case .galileo: ephemeris(.inav, at: now, toe: now / 600 * 600)
        case .beiDou where 6...58 ~= id.svid:
            // BeiDou's time is 14 s behind.
            ephemeris(.d1, at: now, toe: (now - 14) / 3600 * 3600, behind: 14)
        case .glonass: ephemerisOfGLONASS(at: now)
        case .beiDou, .sbas, .navIC: nil
        }
    }

    private static func daysSinceJ2000(_ seconds: Double) -> Double {
        // GPS time is 18 s ahead of UTC.
        Earth.daysSinceJ2000(unixNanoseconds: Int64(nanosecondsIn: seconds + 315_964_782))
    }

    private func ephemeris(
        _ message: NavigationMessage, at now: Int, toe: Int, behind offset: Int = 0
    ) -> Ephemeris? {
        let elements = elements(daysSinceJ2000: Self.daysSinceJ2000(Double(toe + offset)))
        let rate = elements.argumentRate / 86_400
        let second = Double(toe % Ephemeris.week)
        func wrapped(_ angle: Double) -> Double {
            angle - 2 * .pi * (angle / (2 * .pi)).rounded()
        }
        let issue = Double(toe / 600 % 240)
        return Ephemeris(
            simulated: id, message, sent: now,
            [
                .toe: second, .toc: second, .iode: message == .d1 ? 1 : issue,
                .iodc: message == .d1 ? 1 : issue, .accuracy: message == .inav ? 107 : 0,
                // The size that gives this speed, so that no correction of it is needed.
                .rootA: PortableMath.exp(
                    PortableMath.log10(Ephemeris.gravity / (rate * rate)) * 2.302_585_092_994_046
                        / 6),
                .e: elements.eccentricity, .i0: elements.inclination,
                .omega: wrapped(elements.perigee),
                .m0: wrapped(elements.argument - elements.perigee),
                .omega0: wrapped(elements.node + Ephemeris.rotation * second),
                .omegaDot: elements.nodeRate / 86_400 + Ephemeris.rotation,
            ])
    }

    private func ephemerisOfGLONASS(at now: Int) -> Ephemeris? {
        // The middle of half an hour, in UTC.
        let toe = (now - 18 + 900) / 1800 * 1800
        let moment = Double(toe + 18)
        func position(_ shift: Double) -> Vector {
            self.position(daysSinceJ2000: Self.daysSinceJ2000(moment + shift))
        }
        let (before, place, after) = (position(-0.5), position(0), position(0.5))
        let tb = (toe + 10_800) % 86_400
        return Ephemeris(
            simulated: id, .fdma, sent: now,
            [
                .tb: Double(tb), .x: place.x / 1000, .y: place.y / 1000, .z: place.z / 1000,
                .dx: (after.x - before.x) / 1000, .dy: (after.y - before.y) / 1000,
                .dz: (after.z - before.z) / 1000, .m: 1, .ft: 2,
            ])
    }
}

extension UBXEpoch {
    /// The navigation messages that have ended in this second, of the satellites that are tracked.
    var navigationMessages: [UInt8] {
        guard let now = GPSTime(observation.truth.time)?.seconds else { return [] }
        return observation.satellites.filter { !$0.signals.isEmpty }.flatMap { satellite in
            if satellite.id.constellation == .galileo, let signedMessages {
                return signedMessages[satellite.id.svid]?.frame ?? []
            }
            let orbit = NominalConstellation.orbits(of: satellite.id.constellation)
                .first { $0.id == satellite.id }
            // The message belongs to the time before this second.
            return orbit?.ephemeris(at: now - 1)?.message(endingAt: now)?.frame ?? []
        }
    }
}
