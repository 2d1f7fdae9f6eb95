// SPDX-License-Identifier: MIT
import Delegation
import Devices
import Figures
import Outputs
import Receivers
import Synchronization

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

    /// One lock for all: whatever thread a source is read on, no more is printed than is asked for.
    private final class Printing: Sendable {
        struct State {
            var progress: MonitorProgress
            var printers: [MonitorPrinter]
        }

        let state: Mutex<State>
        let end: Promise<Void>

        init(_ state: sending State) {
            end = state.progress.end
            self.state = Mutex(state)
        }

        func print(
            _ index: Int, _ body: (inout MonitorPrinter, inout MonitorProgress) -> Void
        ) {
            state.withLock { state in
                if end.isPending { body(&state.printers[index], &state.progress) }
            }
        }
    }

    /// Prints on the thread that reads the receivers, which never waits for the reader of the output.
    func run() async throws {
        let progress = MonitorProgress(count: count, sources: sources.count)
        let output = MonitorOutput { [end = progress.end] in end.reject($0) }
        var csv = CSVFormat()
        if format == .csv {
            csv.begin(OutputSource())
            csv.drain { output.write($0.withUnsafeBytes { Array($0) }, canWait: true) }
        }
        let printers = sources.map {
            MonitorPrinter(
                source: $0, isAlone: sources.count == 1, format: format, units: units, csv: csv,
                plotter: plotter, output: output)
        }
        let printing = Printing(Printing.State(progress: progress, printers: printers))
        let subscriptions = sources.indices.flatMap {
            subscribe(to: sources[$0], as: output.member, index: $0, printing)
        }
        defer {
            for subscription in subscriptions { subscription.dispose() }
            if output.droppedCount > 0 {
                StandardError.say("\(output.droppedCount) reports were lost to a slow reader")
            }
        }
        do {
            try await progress.end.value
            try await output.finish()
        } catch let error as CancellationError {
            try printing.state.withLock { try $0.progress.cancelled() }
            throw error
        }
    }

    private func subscribe(
        to source: any DeviceSource, as member: SessionMember, index: Int, _ printing: Printing
    ) -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        // Sentences first: they have to be requested before the receiver is opened.
        let sentences =
            format == .nmea
            ? [
                session.sentences.observe { sentence in
                    printing.print(index) { $0.print(sentence: sentence, &$1) }
                }.scoped
            ] : []
        return sentences + [
            session.join(as: member) { update in
                printing.print(index) { $0.print(update, &$1) }
            }
        ]
    }
}
