// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXEpoch {
    /// Position, velocity and time. As with real receivers, it contains the last position without a
    /// fix, and 0° N 0° E before the first fix.
    var pvt: NavPVT {
        var pvt = NavPVT()
        pvt.timeOfWeekMilliseconds = timeOfWeek
        setTime(&pvt)
        pvt.fixType = fixType
        pvt.flags = .init(rawValue: solution == nil ? 0 : 1)
        pvt.satellitesUsed = UInt8(clamping: solution == nil ? 0 : observation.used.count)
        // Before the first fix: minus the height of mean sea level above the ellipsoid at 0° N 0°
        // E.
        pvt.altitude = -17
        if let known {
            pvt.latitude = known.coordinate.latitude
            pvt.longitude = known.coordinate.longitude
            pvt.altitude = known.altitude
            pvt.ellipsoidalAltitude = known.altitude + known.geoidSeparation
        } else if chip.hasLongPVT {
            pvt.moreFlags = .init(rawValue: 1)
        }
        pvt.horizontalAccuracy = horizontalAccuracy
        pvt.verticalAccuracy = verticalAccuracy
        setVelocity(&pvt)
        pvt.positionDilution = limited(solution?.dilution.pdop)
        return pvt
    }

    private func setTime(_ pvt: inout NavPVT) {
        guard let time = observation.time ?? timeAtStart else { return }
        pvt.year = UInt16(clamping: time.date.year)
        pvt.month = UInt8(clamping: time.date.month)
        pvt.day = UInt8(clamping: time.date.day)
        pvt.hour = UInt8(clamping: time.time.hour)
        pvt.minute = UInt8(clamping: time.time.minute)
        pvt.second = UInt8(clamping: time.time.second)
        pvt.nanoseconds = Int32(clamping: time.time.nanoseconds % 1_000_000_000)
        let isKnown = observation.time != nil
        pvt.validity = .init(rawValue: isKnown ? 0b111 : 0)
        pvt.confirmation = .init(rawValue: chip.confirmsTime ? isKnown ? 0b1110_0000 : 0x20 : 0)
        // 5 s is more than 32 bits of nanoseconds, and is therefore written as unknown.
        pvt.timeAccuracy = isKnown ? (solution.map { timeAccuracy($0) } ?? 1e-6) : 5
    }

    /// The time that real receivers send, marked as invalid, until they know the time. Their clock
    /// starts at the beginning of a GPS week, 2015-10-17T23:59:43Z.
    private var timeAtStart: UTCTime? {
        let start: Int64 = 1_445_126_383_000_000_000
        return UTCTime(unixNanoseconds: start + Int64((min(seconds, 3e9) * 1e9).rounded()))
    }

    /// Returns the accuracy of the time in seconds, computed from the TDOP and the accuracy of the
    /// ranges.
    private func timeAccuracy(_ solution: Solution) -> Double {
        20e-9 + solution.dilution.tdop * solution.deviations.range / 299_792_458
    }

    private func setVelocity(_ pvt: inout NavPVT) {
        // At rest or without a fix, keep the last course.
        pvt.course = solution?.course ?? lastSolution?.solution.course ?? 0
        guard let solution else {
            pvt.speedAccuracy = 20
            pvt.courseAccuracy = 180
            return
        }
        let (sine, cosine) = PortableMath.sinCos(pvt.course.radians)
        pvt.velocityNorth = solution.speed * cosine
        pvt.velocityEast = solution.speed * sine
        pvt.velocityDown = -solution.climb
        pvt.groundSpeed = solution.speed
        pvt.speedAccuracy = velocityDeviation * 2.0.squareRoot()
        pvt.courseAccuracy =
            solution.course == nil
            ? 180 : PortableMath.atan2(pvt.speedAccuracy, solution.speed).degrees
    }

    /// The high-precision position, with a resolution of 0.1 mm. Its coarse part equals the
    /// position in `pvt`.
    var hpposllh: NavHPPOSLLH {
        var position = NavHPPOSLLH()
        position.timeOfWeekMilliseconds = timeOfWeek
        position.flags = .init(rawValue: solution == nil ? 1 : 0)
        let coordinate = known?.coordinate
        let altitude = known?.altitude ?? -17
        (position.coarseLongitude, position.fineLongitude) = Self.parts(
            coordinate?.longitude ?? 0, coarse: 1e7, 100)
        (position.coarseLatitude, position.fineLatitude) = Self.parts(
            coordinate?.latitude ?? 0, coarse: 1e7, 100)
        (position.coarseEllipsoidalAltitude, position.fineEllipsoidalAltitude) = Self.parts(
            known.map { $0.altitude + $0.geoidSeparation } ?? 0, coarse: 1e3, 10)
        (position.coarseAltitude, position.fineAltitude) = Self.parts(altitude, coarse: 1e3, 10)
        // 10^9 m is more than 32 bits of tenths of millimetres, and is therefore written as the
        // maximum.
        position.horizontalAccuracy = horizontalAccuracy ?? 1e9
        position.verticalAccuracy = verticalAccuracy ?? 1e9
        return position
    }

    private static func parts(
        _ value: Double, coarse unit: Double, _ parts: Double
    ) -> (Int32, Int8) {
        let coarse = (value * unit).rounded()
        let fine = ((value * unit - coarse) * parts).rounded()
        return (Int32(exactly: coarse) ?? 0, Int8(exactly: fine) ?? 0)
    }

    var status: NavSTATUS {
        var status = NavSTATUS()
        status.timeOfWeekMilliseconds = timeOfWeek
        status.fixType = fixType
        let hasTime: UInt8 = observation.time == nil ? 0 : 0b1100
        status.flags = .init(rawValue: hasTime | (solution == nil ? 0 : 1))
        status.detection = .init(rawValue: spoofingState.rawValue << 3)
        status.timeToFirstFix = Self.milliseconds(firstFix ?? 0)
        status.uptime = Self.milliseconds(seconds)
        return status
    }

    var fixType: UBXFixType {
        switch solution?.mode {
        case .threeD: .threeD
        case .twoD: .twoD
        default: .none
        }
    }

    static func milliseconds(_ seconds: Double) -> UInt32 {
        UInt32(exactly: (seconds * 1000).rounded()) ?? .max
    }
}
