// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// A u-blox receiver near Vienna on 21 March 2026, a Saturday: 12:00:00 UTC is 12:00:18 GPS time.
enum UBXStream {
    /// Milliseconds of the GPS week at 12:00:00 UTC.
    static let noon: UInt32 = (6 * 86_400 + 12 * 3600 + 18) * 1000

    /// Returns the solution of the epoch `milliseconds` after noon.
    static func pvt(after milliseconds: Int = 0, _ change: (inout NavPVT) -> Void = { _ in })
        -> NavPVT
    {
        var message = NavPVT()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        (message.year, message.month, message.day) = (2026, 3, 21)
        let seconds = 12 * 3600 + milliseconds / 1000
        message.hour = UInt8(seconds / 3600)
        message.minute = UInt8(seconds / 60 % 60)
        message.second = UInt8(seconds % 60)
        message.nanoseconds = Int32(milliseconds % 1000) * 1_000_000
        message.validity = NavPVT.Validity(rawValue: 0b0111)
        message.timeAccuracy = 20e-9
        message.fixType = .threeD
        message.flags = NavPVT.Flags(rawValue: 1)
        message.satellitesUsed = 12
        (message.latitude, message.longitude) = (48.2082001, 16.3738001)
        (message.ellipsoidalAltitude, message.altitude) = (214.5, 170.5)
        (message.horizontalAccuracy, message.verticalAccuracy) = (2, 3)
        (message.velocityNorth, message.velocityEast, message.velocityDown) = (0, 10, -1)
        (message.groundSpeed, message.course) = (10, 90)
        (message.speedAccuracy, message.courseAccuracy) = (0.2, 1.5)
        message.positionDilution = 1.5
        change(&message)
        return message
    }

    /// Returns a solution without a fix, as receivers send it.
    static func noFix(after milliseconds: Int = 0) -> NavPVT {
        pvt(after: milliseconds) {
            $0.fixType = .none
            $0.flags = NavPVT.Flags(rawValue: 0)
            ($0.latitude, $0.longitude, $0.ellipsoidalAltitude, $0.altitude) = (0, 0, 0, -17)
            ($0.horizontalAccuracy, $0.verticalAccuracy) = (nil, nil)
            ($0.groundSpeed, $0.course, $0.courseAccuracy) = (0, 0, 180)
            ($0.satellitesUsed, $0.positionDilution) = (0, nil)
        }
    }

    /// Returns the end of the epoch.
    static func end(after milliseconds: Int = 0) -> [UInt8] {
        var message = NavEOE()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        return message.frame
    }

    /// Returns a list of satellites: GPS 5 used at 40 dB-Hz, Galileo 11 without an elevation.
    static func satellites(after milliseconds: Int = 0) -> NavSAT {
        var message = NavSAT()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        var gps = NavSAT.Satellite()
        (gps.gnssID, gps.svid, gps.cn0, gps.elevation, gps.azimuth) = (0, 5, 40, 60, 120)
        gps.flags = NavSAT.Satellite.Flags(rawValue: 0b1_1100)
        var galileo = NavSAT.Satellite()
        (galileo.gnssID, galileo.svid) = (2, 11)
        message.satellites = [gps, galileo]
        return message
    }

    /// Returns the signals of these satellites: L1 C/A and L5 of GPS 5.
    static func signals(after milliseconds: Int = 0) -> NavSIG {
        var message = NavSIG()
        message.timeOfWeekMilliseconds = noon + UInt32(milliseconds)
        message.signals = [(UInt8(0), UInt8(40)), (7, 44)].map { number, cn0 in
            var signal = NavSIG.Signal()
            (signal.gnssID, signal.svid, signal.signalID, signal.cn0) = (0, 5, number, cn0)
            signal.flags = NavSIG.Signal.Flags(rawValue: 0b1001)
            return signal
        }
        return message
    }

    /// Decodes frames and sentences as one stream.
    static func decode(_ pieces: [UInt8]...) -> Transcript {
        Transcript([ArraySlice(pieces.flatMap(\.self))])
    }

    /// Decodes frames and sentences without ending the stream.
    static func decodeUnfinished(_ pieces: [UInt8]...) -> [Fix] {
        var decoder = NMEADecoder()
        var fixes: [Fix] = []
        for piece in pieces {
            decoder.push(piece.span) { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
        }
        return fixes
    }
}
