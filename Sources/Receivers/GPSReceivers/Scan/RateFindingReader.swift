// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO

/// Reads the bytes of a connection without decoding them, and detects the baud rate of its line.
package struct RateFindingReader {
    private let connection: any DeviceConnection
    private let poller: Poller
    private var rates: RateDetection?

    /// Creates a reader for an open connection.
    package init(_ connection: any DeviceConnection, poller: Poller) {
        self.connection = connection
        self.poller = poller
        rates = connection.serialLine?.search.map { RateDetection($0, at: poller.now) }
    }

    /// The line's current settings; `nil` if its baud rate is not being detected.
    package var settings: LineSettings? { rates?.settings }

    /// Whether messages have been received at the current settings.
    package var hasFound: Bool { rates?.hasFound == true }

    /// Waits for bytes and returns them without parity bits. Returns `.silence` at the deadline,
    /// and when the baud rate changes.
    ///
    /// Throws the connection's errors.
    package mutating func read(
        until deadline: MonotonicInstant?
    ) async throws(DeviceError) -> DeviceInput {
        while true {
            let end = [rates?.deadline, deadline].compactMap(\.self).min()
            let input = try await connection.read(until: end)
            let now = poller.now
            switch input {
            case .bytes(let bytes):
                guard let result = rates?.received(bytes, at: now) else {
                    return .bytes(bytes)
                }
                try await take(result.step)
                return .bytes(result.bytes)
            case .silence:
                let step = rates?.silence(at: now) ?? .stay
                try await take(step)
                if case .change = step { return .silence }
                if let deadline, deadline <= now { return .silence }
            case .end: return .end
            }
        }
    }

    private func take(_ step: RateScan.Step) async throws(DeviceError) {
        switch step {
        case .stay: break
        case .found: if let settings { connection.serialLine?.search?.remember(settings) }
        case .change(let baudRate): try await connection.serialLine?.change(to: baudRate)
        }
    }

    /// Reads until the line's baud rate is found. The connection's next reader receives the last
    /// bytes again. Returns `false` if all baud rates have been tried without success, or at the
    /// end of the source.
    ///
    /// Throws the connection's errors.
    package mutating func findRate() async throws(DeviceError) -> Bool {
        var received: [UInt8] = []
        while !hasFound {
            guard let rates, rates.roundCount == 0 else { return false }
            // After a silent round at all baud rates, the search itself has no deadline.
            switch try await read(until: poller.now + .seconds(1)) {
            case .bytes(let bytes): received = (received + bytes).suffix(4096)
            case .silence: break
            case .end: return false
            }
        }
        if let rates { connection.serialLine?.found(rates, received) }
        return true
    }
}
