// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSViews
import Glibc
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

/// The output file of a plot. It is replaced only when the plot is complete.
struct PlotFile: Sendable {
    private enum Kind: String {
        case png, svg
    }

    let path: String
    private let kind: Kind

    /// Creates a plot file. Its extension selects the image format.
    ///
    /// - Throws: `UsageError` if the extension is not `.png` or `.svg`.
    init(_ path: String) throws {
        let name = path.split(separator: "/").last ?? ""
        let ending =
            name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } : nil
        guard let kind = ending.flatMap({ Kind(rawValue: $0) }),
            name.count > kind.rawValue.count + 1
        else {
            let stem = ending.map { String(path.dropLast($0.count + 1)) } ?? path
            let example = stem.isEmpty || stem.hasSuffix("/") ? path : stem
            throw UsageError(
                "not a name for a plot: '\(path)' (expected a name that ends with .png or .svg, "
                    + "such as '\(example).svg')"
            )
        }
        self.path = path
        self.kind = kind
    }

    /// Checks that the plot can be written, before the work begins.
    ///
    /// - Throws: `CommandFailure` if it cannot.
    func check() throws {
        if kind == .png, let missing = PNGImage.missing {
            throw failure(
                "\(missing) is missing; install it (Debian: apt-get install libcairo2), or write "
                    + "an .svg file, which needs no library")
        }
        if let kind = try? Node(path).kind(), kind != .regularFile {  // an error: no such file
            throw failure("it exists and is not a regular file; give the plot another name")
        }
        try reportingFailure { () throws(DraftFile.Failure) in
            _ = try DraftFile(replacing: path)
        }
    }

    /// Checks that the plot would not overwrite another file of the same conversion, even under a
    /// different path. `what` describes that file.
    ///
    /// - Throws: `CommandFailure` if it would.
    func check(against file: RegularFile?, _ what: String) throws {
        guard let file else { return }
        let descriptor = open(FileName.native(path), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if RegularFile(descriptor) == file {
            throw failure("it is \(what); give the plot another name")
        }
    }

    /// Draws the plot and replaces the file with it.
    ///
    /// - Throws: `CommandFailure` if there is nothing to draw or writing fails.
    func write(_ plot: Plot) throws {
        guard !plot.isEmpty else {
            throw failure("there was no position and no satellite to draw")
        }
        let drawing = Sheet.draw(plot)
        let image =
            switch kind {
            case .svg: SVGImage.bytes(of: drawing)
            case .png: PNGImage.bytes(of: drawing)
            }
        guard let image else { throw failure("there is not enough memory") }
        try reportingFailure { () throws(DraftFile.Failure) in
            try DraftFile.replace(path, with: image)
        }
    }

    private func reportingFailure(_ work: () throws(DraftFile.Failure) -> Void) throws {
        do {
            try work()
        } catch {
            throw failure(IOError.reason(error.errno, writing: path))
        }
    }

    /// Returns the error for a plot that cannot be written. `reason` may contain advice.
    func failure(_ reason: String) -> CommandFailure {
        CommandFailure("cannot write the plot \(path): \(reason)")
    }
}
