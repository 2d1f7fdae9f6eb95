// SPDX-License-Identifier: MIT
package import Devices

/// Takes care of a line while it is read: tells its rate, searches it again where the line makes no sense
/// any more, and lets a flood of noise wait.
package struct LineCare {
    private let device: String
    /// The line whose rate is found by listening.
    private let line: ListeningConnection?
    /// Whether it has a rate at all.
    private let isLine: Bool
    private var health = LineHealth()
    private var lastTried: BaudRate?
    private var found: LineSettings?
    /// Whether it has been told that other rates than the first are tried.
    private var hasTold = false

    /// Begins with a connection that has just been opened.
    package init(_ connection: any DeviceConnection) {
        device = connection.name
        line = connection as? ListeningConnection
        isLine = line != nil || connection is SerialConnection
    }

    /// What there is to tell of the line's rate since the last call.
    package mutating func news() -> ReceiverUpdate? {
        guard let line else { return nil }
        switch line.rate {
        case .trying(let settings):
            defer { lastTried = settings.baudRate }
            // The first is mostly right; and once all have been tried, enough has been said.
            guard let lastTried, lastTried != settings.baudRate, line.roundCount == 0 else {
                return nil
            }
            hasTold = true
            return .listening(settings)
        case .found(let settings):
            guard settings != found else { return nil }
            let isNews = hasTold || line.hasHeardNoise
            (found, lastTried, hasTold) = (settings, nil, false)
            return isNews ? .understood(settings) : nil
        }
    }

    /// Takes note of bytes, and whether there was sense in them; returns what is the matter.
    package mutating func hear(
        _ bytes: [UInt8], hasSense: Bool, at now: ContinuousClock.Instant
    ) -> DeviceError? {
        guard !hasSense else {
            health.hearSense()
            return nil
        }
        switch health.hearNoise(bytes, at: now) {
        case .flooded: return DeviceError(.flooded, device: device)
        case .misunderstood:
            // As long as the rate is searched nobody has understood anything yet.
            guard isLine else { return nil }
            if case .trying? = line?.rate { return nil }
            line?.listenAgain()
            return DeviceError(.notUnderstood, device: device)
        case nil: return nil
        }
    }

    /// Lets a flood wait, so that what it costs stays within bounds. Throws `.cancelled`.
    package func rest(at now: ContinuousClock.Instant) async throws(DeviceError) {
        guard let end = health.rest(at: now) else { return }
        guard await Poller.shared.sleep(until: end) == .timedOut else {
            throw DeviceError(.cancelled, device: device)
        }
    }
}
