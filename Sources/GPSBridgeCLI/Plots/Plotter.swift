// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSViews
import NMEA
import Synchronization

/// Collects the data of a plot, and writes the plot at the end.
final class Plotter: DecoderListener, Sendable {
    private let file: PlotFile
    private let plot: Mutex<Plot>

    /// Creates a plotter; throws a `PlotFile.Failure` if the file could not be written.
    init(_ file: PlotFile, _ settings: PlotSettings) throws {
        try file.check()
        self.file = file
        plot = Mutex(Plot(settings))
    }

    /// Begins another source.
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
    /// Throws a `PlotFile.Failure` if that fails.
    func finish() throws {
        try file.write(plot.withLock { $0 })
    }

    /// Runs `work` and writes the plot however it ends: normally, by a signal, by a closed pipe, or by the
    /// loss of the receiver. After a usage error, no plot is written.
    ///
    /// Throws the error of `work`, or an `ExitStatus` if the plot could not be written, after reporting
    /// why.
    func finish(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let isEnd = error is CancellationError || error is StandardOutput.Closed
            guard isEnd || plot.withLock({ !$0.isEmpty }) else { throw error }
            // Either failure may determine the exit status; both are reported.
            if isEnd { try finishReportingFailure() } else { try? finishReportingFailure() }
            throw error
        }
        try finishReportingFailure()
    }

    private func finishReportingFailure() throws {
        do {
            try finish()
        } catch {
            StandardError.print("\(error)")
            throw ExitStatus.failed
        }
    }
}
