// SPDX-License-Identifier: MIT
import UBX

extension SteadyState {
    /// A minute of a u-blox chip that sends everything that a fix is made of, once a second.
    static func ubxMinute(_ minute: Int) -> [UInt8] {
        (10..<60).flatMap { second in
            // 21 March 2026 was a Saturday; GPS time is 18 s ahead of UTC.
            let time = UInt32((6 * 86_400 + 10 * 3600 + minute * 60 + second + 18) * 1000)
            return solution(minute, second, time) + signals(second, time) + reports(time)
                + end(time)
        }
    }

    private static func solution(_ minute: Int, _ second: Int, _ time: UInt32) -> [UInt8] {
        var pvt = NavPVT()
        pvt.timeOfWeekMilliseconds = time
        (pvt.year, pvt.month, pvt.day) = (2026, 3, 21)
        (pvt.hour, pvt.minute, pvt.second) = (10, UInt8(minute), UInt8(second))
        pvt.validity = NavPVT.Validity(rawValue: 7)
        (pvt.fixType, pvt.flags) = (.threeD, NavPVT.Flags(rawValue: 1))
        (pvt.latitude, pvt.longitude, pvt.altitude) = (48.2, 16.37, 170)
        (pvt.horizontalAccuracy, pvt.verticalAccuracy) = (2, 3)
        (pvt.velocityEast, pvt.groundSpeed, pvt.course) = (10, 10, 90)
        var (precise, covariance, dilution) = (NavHPPOSLLH(), NavCOV(), NavDOP())
        precise.timeOfWeekMilliseconds = time
        (precise.coarseLatitude, precise.coarseLongitude) = (482_000_000, 163_700_000)
        covariance.timeOfWeekMilliseconds = time
        dilution.timeOfWeekMilliseconds = time
        return pvt.frame + precise.frame + covariance.frame + dilution.frame
    }

    private static func signals(_ second: Int, _ time: UInt32) -> [UInt8] {
        var (view, list) = (NavSAT(), NavSIG())
        view.timeOfWeekMilliseconds = time
        list.timeOfWeekMilliseconds = time
        for svid in UInt8(1)...20 {
            var satellite = NavSAT.Satellite()
            (satellite.svid, satellite.cn0) = (svid, 30 + UInt8(second % 8))
            (satellite.elevation, satellite.azimuth) = (Double(svid), Int16(10 * Int(svid)))
            satellite.flags = NavSAT.Satellite.Flags(rawValue: 0b1_1100)
            view.satellites.append(satellite)
            var signal = NavSIG.Signal()
            (signal.svid, signal.cn0) = (svid, satellite.cn0)
            signal.flags = NavSIG.Signal.Flags(rawValue: 0b1001)
            list.signals.append(signal)
        }
        return view.frame + list.frame
    }

    private static func reports(_ time: UInt32) -> [UInt8] {
        var (status, clock, radio, security) = (NavSTATUS(), NavCLOCK(), MonRF(), SecSIG())
        status.timeOfWeekMilliseconds = time
        clock.timeOfWeekMilliseconds = time
        radio.blocks = [MonRF.Block(), MonRF.Block()]
        (security.isJammingDetectorOn, security.jamming) = (true, .none)
        return status.frame + clock.frame + radio.frame + MonHW().frame + security.frame
    }

    private static func end(_ time: UInt32) -> [UInt8] {
        var end = NavEOE()
        end.timeOfWeekMilliseconds = time
        return end.frame
    }
}
