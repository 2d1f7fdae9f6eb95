// SPDX-License-Identifier: MIT
import Delegation
import Devices
import Figures
import GNSS
import GPSBridge
import Outputs
import Synchronization

/// Prints a receiver's updates until it ends, is interrupted, or enough is printed.
struct Monitor {
    let source: any DeviceSource
    let format: MonitorFormat
    /// Fixes to print, or sentences.
    let count: Int?
    /// The units of text; `nil` for SI.
    let units: Units?
    /// Collects a plot, if one is wanted.
    let plotter: Plotter?

    fileprivate enum News: Sendable {
        case update(ReceiverUpdate)
        case sentence([UInt8])
    }

    func run() async throws {
        let printer = MonitorPrinter(
            format: format, source: source, remaining: count, units: units, plotter: plotter)
        if source.capabilities.contains(.pausing) {
            try await printAtOnce(printer)
        } else {
            try await printBuffered(printer)
        }
    }

    /// Prints while the source waits: nothing is lost, however slow the reader is.
    private func printAtOnce(_ printer: consuming MonitorPrinter) async throws {
        let end = Promise<Void>()
        let printer = Mutex(printer)
        let subscriptions = subscribe { news in
            guard end.isPending else { return }
            do {
                if try printer.withLock({ try $0.print(news) }) { end.fulfil(()) }
            } catch {
                end.reject(error)
            }
        }
        defer { for subscription in subscriptions { subscription.dispose() } }
        do {
            try await end.value
        } catch let error as CancellationError {
            try printer.withLock { try $0.timeIsOver() }
            throw error
        }
    }

    /// Prints without delaying the source: a live receiver cannot wait.
    private func printBuffered(_ printer: consuming MonitorPrinter) async throws {
        var printer = printer
        let news = Event<News>()
        let stream = news.values(buffering: .newest(4096))
        let subscriptions = subscribe { news.send($0) }
        defer {
            for subscription in subscriptions { subscription.dispose() }
            if stream.droppedCount > 0 {
                StandardError.say("\(stream.droppedCount) reports were lost to a slow reader")
            }
        }
        for await item in stream where try printer.print(item) { return }
        try printer.timeIsOver()
    }

    private func subscribe(_ body: @escaping @Sendable (News) -> Void) -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        // Sentences first: they have to be requested before the receiver is opened.
        let sentences =
            format == .nmea ? [session.sentences.observe { body(.sentence($0)) }.scoped] : []
        return sentences + [session.join { body(.update($0)) }]
    }
}

extension MonitorPrinter {
    fileprivate mutating func print(_ news: Monitor.News) throws -> Bool {
        switch news {
        case .update(let update): try print(update)
        case .sentence(let bytes): try print(sentence: bytes)
        }
    }
}
