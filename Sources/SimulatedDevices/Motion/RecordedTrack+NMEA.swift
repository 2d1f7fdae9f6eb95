// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension RecordedTrack {
    /// Creates a track from the positions in recorded NMEA, at their times; `nil` if there are
    /// none.
    ///
    /// Ignores fixes without a position, and fixes that are earlier than the previous one or
    /// centuries later. A missing altitude is interpolated.
    public init?(nmea bytes: [UInt8]) {
        var collector = Collector()
        var decoder = NMEADecoder()
        decoder.push(bytes.span, to: &collector)
        decoder.finish(to: &collector)
        let altitudes = AltitudeInterpolation.complete(
            collector.altitudes, at: collector.points.map(\.seconds))
        for (index, altitude) in altitudes.enumerated() {
            collector.points[index].altitude = altitude
        }
        self.init(collector.points)
    }

    private struct Collector: DecoderListener {
        var points: [TrackPoint] = []
        /// The altitudes of the points, as far as they are known.
        var altitudes: [Double?] = []
        private var previous: Fix?
        private var elapsed: Int64 = 0

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            guard let coordinate = fix.coordinate, let time = fix.timeOfDay else { return }
            if let previous, let before = previous.timeOfDay {
                // Without dates, steps of more than half a day are ambiguous.
                var step = time.nanoseconds(since: before)
                if let now = fix.time, let then = previous.time {
                    step = now.unixNanoseconds - then.unixNanoseconds
                }
                let (sum, isBeyond) = elapsed.addingReportingOverflow(step)
                guard step > 0, !isBeyond else { return }
                elapsed = sum
            }
            previous = fix
            altitudes.append(fix.altitude)
            points.append(TrackPoint(seconds: Double(elapsed) / 1e9, coordinate: coordinate))
        }
    }
}
