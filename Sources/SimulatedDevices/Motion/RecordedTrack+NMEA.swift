// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension RecordedTrack {
    /// Creates a track of the positions in recorded NMEA, at their times; `nil` where there is none.
    ///
    /// What has no position is left out, and so is what goes back in time, or on for centuries. Where
    /// a fix has no altitude, that of the last one holds, or at the beginning the first there is, or 0.
    public init?(nmea bytes: [UInt8]) {
        var collector = Collector()
        var decoder = NMEADecoder()
        decoder.push(bytes.span, to: &collector)
        decoder.finish(to: &collector)
        self.init(collector.points)
    }

    private struct Collector: DecoderListener {
        var points: [TrackPoint] = []
        private var previous: Fix?
        private var elapsed: Int64 = 0
        private var altitude: Double?

        mutating func didReceive(fix: inout Fix, satellites view: SatelliteView) {
            guard let coordinate = fix.coordinate, let time = fix.timeOfDay else { return }
            if let previous, let before = previous.timeOfDay {
                // Without dates there is no telling more than half a day.
                var step = time.nanoseconds(since: before)
                if let now = fix.time, let then = previous.time {
                    step = now.unixNanoseconds - then.unixNanoseconds
                }
                let (sum, isBeyond) = elapsed.addingReportingOverflow(step)
                guard step > 0, !isBeyond else { return }
                elapsed = sum
            }
            previous = fix
            if altitude == nil, let first = fix.altitude {
                for index in points.indices { points[index].altitude = first }
            }
            altitude = fix.altitude ?? altitude
            points.append(
                TrackPoint(
                    seconds: Double(elapsed) / 1e9, coordinate: coordinate, altitude: altitude ?? 0)
            )
        }
    }
}
