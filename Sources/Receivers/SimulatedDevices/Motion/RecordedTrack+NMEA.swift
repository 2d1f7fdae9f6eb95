// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension RecordedTrack {
    /// Creates a track from the positions and times in recorded NMEA sentences. Returns `nil` if
    /// there are none.
    ///
    /// Ignores fixes without a position or a time, and fixes that are not later than the previous
    /// one. Missing altitudes are interpolated.
    public init?(nmea bytes: [UInt8]) {
        var collector = Collector()
        var decoder = NMEADecoder()
        decoder.skipsComments = true
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
        /// The altitudes of the points; `nil` where unknown.
        var altitudes: [Double?] = []
        private var previous: Fix?
        private var elapsed: Int64 = 0

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            guard let coordinate = fix.coordinate, let time = fix.timeOfDay else { return }
            if let previous, let before = previous.timeOfDay {
                // Without dates, steps of more than half a day are ambiguous.
                var step = time.nanoseconds(since: before)
                if let now = fix.time, let then = previous.time {
                    guard let difference = now.nanoseconds(since: then) else { return }
                    step = difference
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
