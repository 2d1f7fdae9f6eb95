// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// Changes a receiver's rate and cycle, and checks that it has followed.
///
/// If its maker is unknown, the commands of all makers are sent; a receiver ignores those of others.
struct ReceiverControl {
    /// The pause after a command, for the receiver and the converter's buffer.
    private static let settlingTime = Duration.milliseconds(100)
    private static let step = Duration.milliseconds(50)
    /// The time limit for messages at a new rate, and then at the previous one.
    private static let rateLimit = Duration.seconds(8)

    let line: ControllableLine
    let maker: ReceiverMaker?

    /// Makes a change; returns the reason for a failure, for the client. `cycle` is the measured one.
    func perform(_ change: ReceiverChange, cycle: () -> Double?) async -> String? {
        do throws(DeviceError) {
            if let bytes = change.bytes { try await line.write(bytes) }
            if let rate = change.baudRate, let failure = try await set(rate) { return failure }
            if let period = change.period { return try await set(period: period, cycle) }
            return nil
        } catch {
            return "Can't change \(change.path): \(error.code.rawValue)."
        }
    }

    private var makers: [ReceiverMaker] { maker.map { [$0] } ?? ReceiverMaker.allCases }

    private func set(_ rate: BaudRate) async throws(DeviceError) -> String? {
        guard line.hasBaudRate else { return "The receiver has USB of its own, and no baud rate." }
        let commands = makers.compactMap { $0.command(for: rate) }
        guard !commands.isEmpty else { return "The receiver has no command for \(rate) bps." }
        try await line.write(commands.flatMap(\.self))
        _ = await line.poller.sleep(until: line.poller.now + Self.settlingTime)
        try await line.change(to: rate)
        if await !wait(Self.rateLimit, until: { line.knownBaudRate != nil }) {
            // A slow receiver looked like noise at the new rate, and the search has left it: try it once more.
            try await line.change(to: rate)
            _ = await wait(Self.rateLimit) { line.knownBaudRate != nil }
        }
        guard let found = line.knownBaudRate else {
            return "Nothing is understood at \(rate) bps: the rate is searched for."
        }
        return found == rate ? nil : "The receiver has not followed: it sends at \(found) bps."
    }

    private func set(
        period: Int, _ cycle: () -> Double?
    ) async throws(DeviceError) -> String? {
        let commands = makers.compactMap { $0.command(forPeriod: period) }
        guard !commands.isEmpty else { return "The receiver has no command for \(period) ms." }
        try await line.write(commands.flatMap(\.self))
        let expected = Double(period) / 1000
        // The fix under way, and two more to measure.
        let limit = Duration.milliseconds(3 * period) + .seconds(2)
        let hasFollowed = await wait(limit) {
            cycle().map { ($0 - expected).magnitude < expected / 10 } ?? false
        }
        return hasFollowed ? nil : "The receiver has not followed: its cycle is the same."
    }

    /// Waits until a condition holds; false at the limit.
    private func wait(_ limit: Duration, until isDone: () -> Bool) async -> Bool {
        let end = line.poller.now + limit
        while !isDone() {
            guard line.poller.now < end,
                await line.poller.sleep(until: line.poller.now + Self.step) == .timedOut
            else { return isDone() }
        }
        return true
    }
}
