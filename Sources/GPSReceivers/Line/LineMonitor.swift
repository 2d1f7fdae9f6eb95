// SPDX-License-Identifier: MIT
package import GNSS

/// Monitors a line while it is read: reports its rate, searches for it again when messages stop, and
/// limits the rate at which a flood of noise is read.
package struct LineMonitor {
    private let device: String
    /// The line whose rate is found by listening.
    private let line: ListeningConnection?
    /// Whether it has a rate at all.
    private let isLine: Bool
    private var quality: LineQuality
    private var lastTried: BaudRate?
    private var found: LineSettings?
    /// Whether it has been reported that other rates than the first are tried.
    private var hasReported = false

    /// Starts with a connection that has just been opened.
    package init(_ connection: any DeviceConnection, at now: MonotonicInstant) {
        quality = LineQuality(at: now)
        device = connection.name
        line = connection.rateSearch
        isLine = connection.isSerialLine
    }

    /// A change of the line's rate since the last call.
    package mutating func rateUpdate() -> ReceiverUpdate? {
        guard let line else { return nil }
        switch line.rate {
        case .trying(let settings):
            defer { lastTried = settings.baudRate }
            // The first is mostly right; and after a full round, enough has been reported.
            guard let lastTried, lastTried != settings.baudRate, line.roundCount == 0 else {
                return nil
            }
            hasReported = true
            return .listening(settings)
        case .found(let settings):
            guard settings != found else { return nil }
            let isWorthReporting = hasReported || line.hasHeardNoise
            (found, lastTried, hasReported) = (settings, nil, false)
            return isWorthReporting ? .understood(settings) : nil
        }
    }

    /// Processes bytes, given whether they contained messages; returns a problem of the line.
    package mutating func received(
        _ bytes: [UInt8], hasMessages: Bool, at now: MonotonicInstant
    ) -> DeviceError? {
        guard !hasMessages else {
            quality.receivedMessages()
            return nil
        }
        switch quality.receivedNoise(bytes, at: now) {
        case .flooded: return DeviceError(.flooded, device: device)
        case .misunderstood:
            // While the rate is being searched this is expected.
            guard isLine else { return nil }
            if case .trying? = line?.rate { return nil }
            line?.restartSearch()
            return DeviceError(.notUnderstood, device: device)
        case nil: return nil
        }
    }

    /// When to read on during a flood, so that its cost stays bounded; `nil` where there is none.
    package func throttleEnd(at now: MonotonicInstant) -> MonotonicInstant? {
        quality.throttleEnd(at: now)
    }
}
