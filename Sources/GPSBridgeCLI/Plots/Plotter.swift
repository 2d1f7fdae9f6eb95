// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSViews
import NMEA
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

    /// Begins with the fixes of another source.
    func begin(_ name: String, _ origin: DataOrigin) {
        plot.withLock { $0.begin(name, origin) }
    }

    /// Begins a new segment.
    func endSegment() {
        plot.withLock { $0.endSegment() }
    }

    func didReceive(fix: Fix, satellites view: SatelliteView) {
        plot.withLock { $0.didReceive(fix: fix, satellites: view) }
    }

    func didReceive(satellites view: SatelliteView) {
        plot.withLock { $0.didReceive(satellites: view) }
    }

    /// Adds an update of a receiver.
    func didReceive(_ update: ReceiverUpdate, from source: any DeviceSource) {
        if let name = update.openedDevice { plot.withLock { $0.open(name, source.origin) } }
        switch update {
        case .condition(.lost, _), .condition(.waiting, _): endSegment()
        case .satellites(let view): didReceive(satellites: view)
        case .epoch(let epoch):
            plot.withLock { $0.set(origin: epoch.origin) }
            didReceive(fix: epoch.fix, satellites: epoch.satellites)
        case .condition, .notice: break
        }
    }

    /// Writes the plot.
    ///
    /// Throws a `PlotFile.Failure`.
    func finish() throws {
        try file.write(plot.withLock { $0 })
    }

    /// Runs `body` and writes the plot however it ends: normally, by a signal, by a closed pipe, or by the
    /// loss of the receiver. A usage error leaves no plot.
    ///
    /// Throws the error of `body`, or an `ExitStatus` where the plot could not be written, after
    /// reporting why.
    func finish(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let isEnd = error is CancellationError || error is StandardOutput.Closed
            guard isEnd || plot.withLock({ !$0.isEmpty }) else { throw error }
            // Either failure may decide the status: both are reported.
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
            throw ExitStatus.failed
        }
    }
}
