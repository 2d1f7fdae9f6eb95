// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import NMEA
import UBX

/// The ephemerides and the raw measurements that a u-blox receiver sends.
package struct RawDataHistory: Sendable {
    private struct Source: Hashable {
        let satellite: SatelliteID
        let message: NavigationMessage
    }

    private var finder = UBXFrameFinder()
    private var decoder = NavigationDecoder()
    private var newest: [Source: (ephemeris: Ephemeris, at: ClockReading)] = [:]
    /// The measurements of the last epoch.
    private(set) var measurements: [RxmRAWX.Measurement] = []
    private var measured: ClockReading?

    /// Measurements are shown for at most this time, in seconds.
    private static let limit = 10.0

    /// Adds bytes of the stream.
    package mutating func push(_ bytes: [UInt8], at moment: ClockReading) {
        var finder = exchange(&finder, with: UBXFrameFinder())
        finder.push(bytes) { add($0, at: moment) }
        self.finder = finder
    }

    private mutating func add(_ frame: borrowing UBXFrame, at moment: ClockReading) {
        if let epoch = RxmRAWX(frame) { (measurements, measured) = (epoch.measurements, moment) }
        var found: [Ephemeris] = []
        decoder.push(frame) { if case .ephemeris(let ephemeris) = $0 { found.append(ephemeris) } }
        for ephemeris in found {
            let source = Source(satellite: ephemeris.satellite, message: ephemeris.message)
            newest[source] = (ephemeris, moment)
        }
    }

    /// The ephemerides and how long ago they were received in seconds, in the order of satellites.
    func ephemerides(at now: ClockReading) -> [(ephemeris: Ephemeris, age: Double)] {
        newest.values.map { ($0.ephemeris, now.seconds(since: $0.at)) }.sorted {
            ($0.0.satellite, $0.0.message.rinexName) < ($1.0.satellite, $1.0.message.rinexName)
        }
    }

    /// Whether the last measurements are old, or there are none.
    func hasOldMeasurements(at now: ClockReading) -> Bool {
        measured.map { now.seconds(since: $0) > Self.limit } ?? true
    }
}

/// A table of the ephemerides that the satellites have sent.
struct EphemeridesPanel: Panel {
    let title = "Ephemerides"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let count = scene.model.raw.ephemerides(at: scene.now).count
        return count == 0 ? "" : Plural.text(count, "ephemeris", "ephemerides")
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let ephemerides = scene.model.raw.ephemerides(at: scene.now)
        guard !ephemerides.isEmpty else {
            canvas.write("none: RXM-SFRBX of u-blox since M8", 1, 0, .dim)
            return
        }
        canvas.write("Sat Sends       Age    For  Issue", 1, 0, .dim)
        let room = max(0, canvas.height - 1)
        canvas.hiddenRows = max(0, ephemerides.count - room)
        let skipped = min(canvas.hiddenRows, scene.settings.scroll)
        let glyphs = scene.settings.glyphs
        // The reference time of an ephemeris is in the middle of the hours for which it is valid.
        let time = scene.fix?.time.flatMap { GPSTime($0)?.seconds }
        for (index, entry) in ephemerides.dropFirst(skipped).prefix(room).enumerated() {
            let (ephemeris, y) = (entry.ephemeris, index + 1)
            let style = Signal.style(ephemeris.satellite.constellation)
            canvas.write(ephemeris.satellite.description, 1, y, style.bold)
            canvas.write(ephemeris.message.rinexName, 5, y)
            canvas.write(Elapsed.text(entry.age), endingAt: 19, y)
            let distance = time.map { (ephemeris.toe - $0) / 60 }
            let minutes = distance.map { ($0 < 0 ? "" : "+") + "\($0) m" }
            canvas.write(minutes ?? glyphs.unknown, endingAt: 26, y, .dim)
            canvas.write(
                ephemeris.issue.first.map(String.init) ?? glyphs.unknown, endingAt: 33, y)
            let isHealthy = ephemeris.isHealthy
            canvas.write(isHealthy ? "ok" : "ill", 35, y, isHealthy ? .plain : Style(.poor))
        }
    }
}

/// A table of the raw measurements of the last epoch.
struct MeasurementsPanel: Panel {
    let title = "Measurements"
    let minimumRows = 4

    func usefulRows(_ scene: Scene) -> Int? { nil }

    func note(_ scene: Scene) -> String {
        let count = scene.model.raw.measurements.count
        return count == 0 ? "" : Plural.text(count, "signal")
    }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let raw = scene.model.raw
        guard !raw.hasOldMeasurements(at: scene.now) else {
            canvas.write("none: RXM-RAWX of timing and RTK chips", 1, 0, .dim)
            return
        }
        canvas.write("Signal  dB-Hz         Range      Lock", 1, 0, .dim)
        let signals = raw.measurements.compactMap {
            measurement -> (SatelliteSignal, RxmRAWX.Measurement)? in
            guard let constellation = Constellation(gnssID: Int(measurement.gnssID)),
                let id = SatelliteID(constellation, Int(measurement.svid))
            else { return nil }
            let number = constellation.nmeaSignal(ofUBX: measurement.signalID) ?? 0
            return (SatelliteSignal(id: id, signal: number), measurement)
        }.sorted { ($0.0.id, $0.0.signal) < ($1.0.id, $1.0.signal) }
        let glyphs = scene.settings.glyphs
        for (index, (signal, measurement)) in signals.prefix(max(0, canvas.height - 1)).enumerated()
        {
            let (y, state) = (index + 1, measurement.tracking)
            canvas.write(signal.id.description, 1, y, Signal.style(signal.id.constellation).bold)
            canvas.write(Signal.band(signal), 5, y)
            canvas.write(String(measurement.cn0), endingAt: 14, y)
            let range =
                state.isRangeValid ? String(measurement.pseudorange, decimals: 1) + " m" : nil
            canvas.write(range ?? glyphs.unknown, endingAt: 28, y)
            let seconds = Double(measurement.lockTime) / 1000
            // The receiver counts up to 64.5 s.
            let lock =
                measurement.lockTime >= 64_500 ? "> 1 min" : String(seconds, decimals: 1) + " s"
            canvas.write(state.isPhaseValid ? lock : "no phase", endingAt: 38, y)
        }
        let hidden = signals.count - max(0, canvas.height - 1)
        if hidden > 0 { canvas.write(" +\(hidden)", endingAt: canvas.width, 0, .bold) }
    }
}
