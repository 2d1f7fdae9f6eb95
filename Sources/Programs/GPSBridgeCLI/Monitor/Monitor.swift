// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSConfiguration
import GPSFormats
import GPSIO
import GPSReceivers

/// Prints the updates of receivers until all sources have ended, a signal is received, or `count`
/// is reached.
struct Monitor {
    let sources: [any DeviceSource]
    let format: MonitorFormat
    /// The number of fixes or sentences to print, for all sources together; `nil` for no limit.
    let count: Int?
    /// Additional columns of CSV.
    let columns: OutputColumns
    /// The units of the text; `nil` for SI units.
    let units: Units?
    /// Collects a plot for the only source; `nil` without `--plot`.
    let plotter: Plotter?

    /// Runs the monitor. Updates are printed on the polling thread, which never waits for the
    /// reader of the output.
    func run() async throws {
        let progress = MonitorProgress(count: count, sources: sources.count)
        var csv = CSVFormat()
        var head: [UInt8] = []
        if format == .csv {
            var metadata = OutputMetadata()
            metadata.columns = columns
            csv.describe(metadata)
            csv.begin(OutputSource())
            csv.drain { head = $0.withUnsafeBytes { Array($0) } }
        }
        let output = MonitorOutput(head: head) { progress.end.reject($0) }
        let titles = OutputSource.titles(
            of: sources.map { OutputSource(name: $0.name, origin: $0.origin) })
        let subscriptions = zip(sources, titles).flatMap { source, title in
            let printer = MonitorPrinter(
                source: source, title: title, isAlone: sources.count == 1, format: format,
                units: units, csv: csv, plotter: plotter, output: output,
                progress: progress)
            return subscribe(to: source, as: output.member, printer)
        }
        defer {
            for subscription in subscriptions { subscription.dispose() }
            output.reportLosses()
        }
        do {
            let status = try await progress.end.value
            try await output.finish()
            if let status { throw status }
        } catch let error as CancellationError {
            // The subscriptions end first, so that no later report is printed.
            for subscription in subscriptions { subscription.dispose() }
            try await output.finishFile()
            try progress.cancelled()
            throw error
        }
    }

    private func subscribe(
        to source: any DeviceSource, as member: SessionMember, _ printer: sending MonitorPrinter
    ) -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        // Safety: used on the polling thread only, where a session sends its updates and sentences.
        nonisolated(unsafe) var printer = printer
        // Sentences are subscribed first, because they must be requested before the receiver is
        // opened.
        return [
            format == .nmea
                ? session.sentences.observe { printer.print(sentence: $0) }.scoped : nil,
            format == .json
                ? session.encapsulated.observe { printer.print(vessel: $0) }.scoped : nil,
            session.navigation?.changes.observe { printer.set($0) }.scoped,
            session.join(as: member) { [weak session] update in
                printer.print(update)
                guard let device = update.openedDevice, source.origin.mayBeLive else { return }
                Task(executorPreference: BackgroundExecutor.shared) {
                    guard let message = await session?.finishRollback(at: device) else { return }
                    StandardError.print(message)
                }
            },
        ].compactMap(\.self)
    }
}
