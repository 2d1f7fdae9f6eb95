// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import SimulatedDevices

/// The fixes of a simulated receiver on a path, and the length of the path.
struct SimulatedWay {
    static let place = Coordinate(latitude: 48.2, longitude: 16.37)

    let fixes: [Fix]
    /// The length in metres.
    let length: Double

    init(
        _ trajectory: any Trajectory, seconds: Int, rate: Double = 1, seed: UInt64 = 1,
        change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
    ) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.trajectory = trajectory
        configuration.rate = rate
        configuration.seed = seed
        change(&configuration)
        var receiver = SimulatedReceiver(configuration)
        var decoder = NMEADecoder()
        var fixes: [Fix] = []
        var length = 0.0
        for _ in 0..<Int(Double(seconds) * rate) {
            let epoch = receiver.next()
            length += epoch.truth.state.speed / rate
            decoder.push(epoch.bytes.span) { event in
                if case .fix(let fix, _) = event { fixes.append(fix) }
            }
        }
        (self.fixes, self.length) = (fixes, length)
    }

    /// A path to the north at a constant speed.
    init?(
        speed: Double, seconds: Int, rate: Double = 1, seed: UInt64 = 1, rise: Double = 0
    ) {
        let end = Self.place.moved(north: speed * Double(seconds) + 100, east: 0)
        guard
            let line = LineTrack(
                from: Self.place, to: end, speed: speed, altitude: 200, finalAltitude: 200 + rise)
        else { return nil }
        self.init(line, seconds: seconds, rate: rate, seed: seed)
    }

    func summary(_ change: (inout Fix) -> Void = { _ in }) -> TrackSummary {
        var summary = TrackSummary()
        for var fix in fixes {
            change(&fix)
            summary.add(fix)
        }
        return summary
    }
}

extension Fix {
    /// Removes the speed, as in files of positions.
    mutating func removeSpeed() { (speed, course) = (nil, nil) }

    /// Rounds the position to decimals of a minute.
    mutating func round(minuteDecimals: Int) {
        let scale = (0..<minuteDecimals).reduce(60.0) { result, _ in result * 10 }
        coordinate = coordinate.map {
            Coordinate(
                latitude: ($0.latitude * scale).rounded() / scale,
                longitude: ($0.longitude * scale).rounded() / scale)
        }
    }
}
