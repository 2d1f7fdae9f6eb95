// SPDX-License-Identifier: MIT
import Devices
import GNSS
import GPSBridge
import NMEA
import Plots
import Synchronization

/// Collects what a plot shows, and writes it at the end.
final class Plotter: DecoderListener, Sendable {
    private let file: PlotFile
    private let plot: Mutex<Plot>

    /// Throws a `PlotFile.Failure` where the file could not be written.
    init(_ file: PlotFile, _ settings: PlotSettings) throws {
        try file.check()
        self.file = file
        plot = Mutex(Plot(settings))
    }

    /// Goes on with another source.
    func begin(_ name: String, _ origin: DataOrigin) {
        plot.withLock { $0.begin(name, origin) }
    }

    /// What follows does not follow on what was.
    func breakOff() {
        plot.withLock { $0.breakOff() }
    }

    func didReceive(fix: inout Fix, satellites view: SatelliteView) {
        plot.withLock { $0.didReceive(fix: &fix, satellites: view) }
    }

    func didReceive(satellites view: SatelliteView) {
        plot.withLock { $0.didReceive(satellites: view) }
    }

    /// Adds an update of a receiver.
    func didReceive(_ update: ReceiverUpdate, from source: any DeviceSource) {
        switch update {
        case .opened(let name): plot.withLock { $0.open(name, source.origin) }
        case .lost, .unavailable: breakOff()
        case .satellites(let view): didReceive(satellites: view)
        case .epoch(let epoch):
            var fix = epoch.fix
            didReceive(fix: &fix, satellites: epoch.satellites)
        default: break
        }
    }

    /// Writes the plot.
    ///
    /// Throws a `PlotFile.Failure`.
    func finish() throws {
        try file.write(plot.withLock { $0 })
    }

    /// Does something, and writes the plot however that ends: by itself, by a signal, by a reader or a
    /// receiver that goes. What was refused leaves no plot.
    ///
    /// Throws what that throws, or an `ExitStatus` where the plot could not be written, which has been
    /// said.
    func finish(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let isEnd = error is CancellationError || error is StandardOutput.Closed
            guard isEnd || plot.withLock({ !$0.isEmpty }) else { throw error }
            // Which of two failures decides is all the same: both are told.
            if isEnd { try finishOrSay() } else { try? finishOrSay() }
            throw error
        }
        try finishOrSay()
    }

    private func finishOrSay() throws {
        do {
            try finish()
        } catch {
            StandardError.say("\(error)")
            throw ExitStatus(code: 1)
        }
    }
}
