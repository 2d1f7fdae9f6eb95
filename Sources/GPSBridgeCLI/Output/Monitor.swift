// SPDX-License-Identifier: MIT
import Delegation
import Devices
import GNSS
import GPSBridge
import Outputs

/// Prints what a receiver tells until it ends, is interrupted, or has told enough.
struct Monitor {
    let source: any DeviceSource
    /// Whether a receiver that is not there is waited for from the start.
    let isWaitedFor: Bool
    let format: MonitorFormat
    /// Fixes to print, or sentences.
    let count: Int?

    private enum News: Sendable {
        case update(ReceiverUpdate)
        case sentence([UInt8])
    }

    func run() async throws {
        let session = ReceiverPool.shared.session(for: source)
        let news = Event<News>()
        let stream = news.values(buffering: .newest(4096))
        // Sentences first: they have to be asked for before the receiver is opened.
        let sentences =
            format == .nmea ? session.sentences.subscribe { news.send(.sentence($0)) } : nil
        let updates = session.updates.subscribe { news.send(.update($0)) }
        defer {
            updates.dispose()
            sentences?.dispose()
            if stream.droppedCount > 0 {
                StandardError.say("\(stream.droppedCount) reports were lost to a slow reader")
            }
        }
        var printer = MonitorPrinter(
            format: format, origin: source.origin, isWaitedFor: isWaitedFor, remaining: count)
        for await item in stream {
            let isDone =
                switch item {
                case .update(let update): try printer.take(update)
                case .sentence(let bytes): try printer.take(sentence: bytes)
                }
            if isDone { return }
        }
    }
}
