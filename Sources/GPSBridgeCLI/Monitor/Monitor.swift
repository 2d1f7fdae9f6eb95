// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSReceivers

/// Prints the updates of receivers until all have ended, it is interrupted, or enough is printed.
struct Monitor {
    let sources: [any DeviceSource]
    let format: MonitorFormat
    /// Fixes to print, or sentences, of all sources together.
    let count: Int?
    /// The units of text; `nil` for SI.
    let units: Units?
    /// Collects a plot of the only source, if one is wanted.
    let plotter: Plotter?

    /// Prints on the thread that reads the receivers, which never waits for the reader of the output.
    func run() async throws {
        let progress = MonitorProgress(count: count, sources: sources.count)
        var csv = CSVFormat()
        var head: [UInt8] = []
        if format == .csv {
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
            // Later reports are not waited for.
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
        // Sentences first: they have to be requested before the receiver is opened.
        let sentences =
            format == .nmea
            ? [session.sentences.observe { printer.print(sentence: $0) }.scoped] : []
        return sentences + [session.join(as: member) { printer.print($0) }]
    }
}
