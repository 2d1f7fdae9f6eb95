// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO

/// Reads a connection for those that need its bytes only, and finds the rate of its line meanwhile.
package struct LineReader {
    private let connection: any DeviceConnection
    private let poller: Poller
    private var rates: RateDetection?

    /// Reads an open connection.
    package init(_ connection: any DeviceConnection, poller: Poller) {
        self.connection = connection
        self.poller = poller
        rates = connection.serialLine?.search.map { RateDetection($0, at: poller.now) }
    }

    /// The settings at which a line is read whose rate is searched for, or was.
    package var settings: LineSettings? { rates?.settings }

    /// Whether messages have come at these settings.
    package var hasFound: Bool { rates?.hasFound == true }

    /// Waits for bytes, without parity bits. A change of the rate counts as silence.
    ///
    /// Throws as the connection does.
    package mutating func read(
        until deadline: MonotonicInstant?
    ) async throws(DeviceError) -> DeviceInput {
        while true {
            let end = [rates?.deadline, deadline].compactMap(\.self).min()
            let input = try await connection.read(until: end)
            let now = poller.now
            switch input {
            case .bytes(let bytes):
                guard let heard = rates?.received(bytes, at: now) else {
                    return .bytes(bytes)
                }
                try await take(heard.step)
                return .bytes(heard.bytes)
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

    /// Listens until the line is understood; then the connection is read on with what has been received. Returns `false` where all
    /// rates have been tried in vain.
    ///
    /// Throws as the connection does.
    package mutating func isUnderstood() async throws(DeviceError) -> Bool {
        var received: [UInt8] = []
        while !hasFound {
            guard let rates, rates.roundCount == 0 else { return false }
            // Where all rates have been tried in silence, the search itself waits for bytes only.
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
