// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import GPSViews
import NMEA
import Synchronization

/// Collects the data of a plot, and writes the plot when the command ends.
final class Plotter: OriginListener, Sendable {
    private let file: PlotFile
    private let plot: Mutex<Plot>

    /// Creates a plotter. Throws a `CommandFailure` if the file cannot be written.
    init(_ file: PlotFile, _ settings: PlotSettings) throws {
        try file.check()
        self.file = file
        plot = Mutex(Plot(settings))
    }

    /// Begins data from another source.
    func begin(_ name: String, _ origin: DataOrigin) {
        plot.withLock { $0.begin(name, origin) }
    }

    /// Sets the origin of the following fixes, which begin a segment.
    func didChange(origin: DataOrigin) {
        plot.withLock {
            $0.set(origin: origin)
            $0.endSegment()
        }
    }

    /// Ends the current segment of the track, so that the next fix begins a new one.
    func endSegment() {
        plot.withLock { $0.endSegment() }
    }

    func didReceive(fix: Fix, satellites view: SatelliteView) {
        plot.withLock { $0.didReceive(fix: fix, satellites: view) }
    }

    func didReceive(satellites view: SatelliteView) {
        plot.withLock { $0.didReceive(satellites: view) }
    }

    /// Adds an update from a receiver.
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

    /// Writes the plot to its file.
    ///
    /// - Throws: `CommandFailure` if writing fails.
    func finish() throws {
        try file.write(plot.withLock { $0 })
    }

    /// Runs `work`, then writes the plot. The plot is also written if a signal, a closed pipe or
    /// the loss of the receiver ends `work`, but not after a usage error.
    ///
    /// - Throws: The error of `work`, or `ExitStatus` if the plot could not be written. The reason
    ///   is printed first.
    func finish(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let isEnd = error is CancellationError || error is StandardOutput.Closed
            guard isEnd || plot.withLock({ !$0.isEmpty }) else { throw error }
            // The error of `work` takes precedence unless it is a normal end. Both failures are
            // printed.
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
