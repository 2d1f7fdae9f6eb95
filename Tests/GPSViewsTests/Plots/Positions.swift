// SPDX-License-Identifier: MIT
import GNSS
import GPSViews
import NMEA
import SimulatedDevices

/// Fixes for tests.
enum Positions {
    /// A fix a number of seconds after noon.
    static func fix(
        _ seconds: Double, _ latitude: Double, _ longitude: Double, speed: Double? = nil,
        altitude: Double? = nil, isDated: Bool = true
    ) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        fix.speed = speed
        fix.altitude = altitude
        let noon: Int64 = 1_774_094_400_000_000_000
        let time = UTCTime(unixNanoseconds: noon + Int64(seconds * 1e9))
        fix.time = isDated ? time : nil
        fix.timeOfDay = time?.time
        return fix
    }

    /// The approximate place at an offset in metres to the east and north of 48° N 11° E.
    static func place(_ east: Double, _ north: Double) -> (latitude: Double, longitude: Double) {
        (48 + north / 111_200, 11 + east / 74_600)
    }
}

extension Plot {
    /// Adds a fix without satellites.
    mutating func take(_ fix: Fix) {
        didReceive(fix: fix, satellites: SatelliteView())
    }

    /// Adds a number of epochs of a simulated receiver, always the same ones.
    mutating func watch(
        _ epochs: Int, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
    ) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox9
        configuration.seed = 7
        change(&configuration)
        var receiver = SimulatedReceiver(configuration, startingAt: 1_774_270_800)
        var decoder = NMEADecoder()
        for _ in 0..<epochs {
            let epoch = receiver.next()
            decoder.push(epoch.bytes.span, to: &self)
        }
        decoder.finish(to: &self)
    }
}

extension Drawing {
    /// All texts of the drawing.
    var texts: [String] {
        shapes.compactMap { shape in
            switch shape {
            case .text(let text, _, _), .label(let text, _, _, _): text
            default: nil
            }
        }
    }
}
