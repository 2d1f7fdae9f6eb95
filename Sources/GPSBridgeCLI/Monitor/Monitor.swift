// SPDX-License-Identifier: MIT
import Delegation
import Devices
import Figures
import GNSS
import Outputs
import Receivers
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

    /// Prints on the thread that reads the receiver, which never waits for the reader of the output.
    func run() async throws {
        let end = Promise<Void>()
        let output = MonitorOutput(for: source) { end.reject($0) }
        let printer = Mutex(
            MonitorPrinter(
                format: format, source: source, remaining: count, units: units, plotter: plotter,
                output: output))
        let subscriptions = subscribe(as: output.member) { news in
            guard end.isPending else { return }
            do {
                if try printer.withLock({ try $0.print(news) }) { end.fulfil(()) }
            } catch {
                end.reject(error)
            }
        }
        defer {
            for subscription in subscriptions { subscription.dispose() }
            if output.droppedCount > 0 {
                StandardError.say("\(output.droppedCount) reports were lost to a slow reader")
            }
        }
        do {
            try await end.value
            try await output.finish()
        } catch let error as CancellationError {
            try printer.withLock { try $0.timeIsOver() }
            throw error
        }
    }

    private func subscribe(
        as member: SessionMember, _ body: @escaping @Sendable (News) -> Void
    ) -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        // Sentences first: they have to be requested before the receiver is opened.
        let sentences =
            format == .nmea ? [session.sentences.observe { body(.sentence($0)) }.scoped] : []
        return sentences + [session.join(as: member) { body(.update($0)) }]
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
