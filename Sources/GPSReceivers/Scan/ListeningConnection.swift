// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Synchronization

/// A serial line whose rate is found by listening. All bytes are passed on at once, noise of wrong
/// rates included: nothing waits for the rate to be certain, and nothing is ever sent.
package final class ListeningConnection: PolledConnection {
    /// How well the rate is known.
    package enum Rate: Hashable, Sendable {
        /// These settings are being tried.
        case trying(LineSettings)
        /// Messages have come at these settings.
        case found(LineSettings)
    }

    private struct State {
        var detection: RateDetection
        /// What is read now is of another rate than what was read before.
        var hasChanged = false
        /// Received, but not passed on yet.
        var kept: [UInt8] = []
    }

    /// How long a converter keeps what it received at the former rate: 16 ms are usual.
    private static let transferTime = Duration.milliseconds(50)

    private let line: SerialConnection
    private let state: Mutex<State>
    private let onFound: @Sendable (LineSettings) -> Void

    /// Listens at the rates in turn, beginning with the first, at which the line must be open.
    package init(
        _ line: SerialConnection, rates: [BaudRate],
        detectingWith makeDetector: @escaping MessageDetectorFactory,
        onFound: @escaping @Sendable (LineSettings) -> Void = { _ in }
    ) {
        self.line = line
        self.onFound = onFound
        state = Mutex(
            State(detection: RateDetection(rates, detectingWith: makeDetector, at: line.poller.now))
        )
    }

    package var name: String { line.name }

    /// The settings at which the line is read, and whether they are known to be right.
    package var rate: Rate {
        state.withLock { state in
            let settings = state.detection.settings
            return state.detection.hasFound ? .found(settings) : .trying(settings)
        }
    }

    /// Whether bytes without messages came at another rate before.
    package var hasHeardNoise: Bool { state.withLock { $0.detection.hasHeardNoise } }

    /// How often all rates have been tried without success.
    package var roundCount: Int { state.withLock { $0.detection.roundCount } }

    /// Searches again, the present rate first: the receiver's seems to have changed.
    package func restartSearch() {
        state.withLock { $0.detection.restartSearch(at: line.poller.now) }
    }

    package func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.NextWait
    ) async throws(DeviceError) {
        var deadline = deadline
        while true {
            let (isFound, hasChanged, kept) = state.withLock { state in
                defer { (state.hasChanged, state.kept) = (false, []) }
                return (state.detection.hasFound, state.hasChanged, state.kept)
            }
            var next = Poller.NextWait.unchanged
            if !kept.isEmpty {
                next = handle(.bytes(kept))
            } else if hasChanged {
                // A message that has begun at another rate will not be finished at this one.
                next = handle(.silence)
            } else if isFound {
                next = try await readOn(until: deadline, handle)
            } else if let input = try await listen(until: deadline) {
                next = handle(input)
                if input == .end { next = .end }
            }
            switch next.completed() {
            case .again(until: let later): deadline = later
            case .end: return
            case .unchanged, .later: break
            }
        }
    }

    /// Reads at the rate that has been found, until it is to be searched for again.
    private func readOn(
        until deadline: MonotonicInstant?,
        _ handle: @escaping @Sendable (DeviceInput) -> Poller.NextWait
    ) async throws(DeviceError) -> Poller.NextWait {
        let last = Mutex(Poller.NextWait.end)
        let unheard = Mutex<DeviceInput?>(nil)
        try await line.read(until: deadline) { [self] input in
            guard let input = state.withLock({ $0.detection.known(input) }) else {
                unheard.withLock { $0 = input }
                return .end
            }
            let next = handle(input)
            guard case .found = rate else {
                last.withLock { $0 = next }
                return .end
            }
            return next
        }
        guard let input = unheard.withLock({ $0 }) else { return last.withLock { $0 } }
        // The search has begun by a change of the rate, after which silence is told next.
        return try await heard(input, until: deadline).map(handle) ?? .unchanged
    }

    /// Reads once while the rate is searched for; `nil` where the deadline has not come yet.
    private func listen(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput?
    {
        let scanDeadline = state.withLock { $0.detection.deadline }
        let end = scanDeadline.map { min($0, deadline ?? $0) } ?? deadline
        return try await heard(try await line.read(until: end), until: deadline)
    }

    /// Takes the step in the search that follows from what has come, or from silence.
    private func heard(
        _ input: DeviceInput, until deadline: MonotonicInstant?
    ) async throws(DeviceError) -> DeviceInput? {
        switch input {
        case .bytes(let bytes):
            let heard = state.withLock { $0.detection.received(bytes, at: line.poller.now) }
            try await perform(heard.step)
            return .bytes(heard.bytes)
        case .silence:
            try await perform(state.withLock { $0.detection.silence(at: line.poller.now) })
            guard let deadline, deadline <= line.poller.now else { return nil }
            return .silence
        case .end: return .end
        }
    }

    /// Listens until the rate is found, or all have been tried in vain. What was heard at the right
    /// rate is there for the next read.
    package func isUnderstood() async throws(DeviceError) -> Bool {
        var heard: [UInt8] = []
        while true {
            if case .found = rate {
                state.withLock { $0.kept = heard }
                return true
            }
            guard roundCount == 0 else { return false }
            switch try await read(until: line.poller.now + .seconds(1)) {
            case .bytes(let bytes): heard = (heard + bytes).suffix(4096)
            case .silence: break
            case .end: return false
            }
        }
    }

    package func close() {
        line.close()
    }

    /// Sets a rate. Drivers ask the device: a slow one must not hold up the others.
    private func set(_ baudRate: BaudRate) async throws(DeviceError) {
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            [line] () async throws(DeviceError) in try line.switchRate(to: baudRate)
        }
    }

    private func perform(_ step: RateScan.Step) async throws(DeviceError) {
        switch step {
        case .stay: break
        case .found: onFound(state.withLock { $0.detection.settings })
        case .change(let baudRate):
            state.withLock { $0.hasChanged = true }
            do throws(DeviceError) {
                try await set(baudRate)
            } catch {
                // A rate that the chip does not have is not the receiver's.
                guard error.code == .configurationFailed else { throw error }
            }
        }
    }
}

extension ListeningConnection: ControllableLine {
    package var poller: Poller { line.poller }
    package var hasBaudRate: Bool { true }

    package var knownBaudRate: BaudRate? {
        if case .found(let settings) = rate { settings.baudRate } else { nil }
    }

    package func write(_ bytes: [UInt8]) async throws(DeviceError) {
        try await line.write(bytes)
    }

    package func pulses(
        _ edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) -> PulseLine {
        try line.pulses(edge, handle)
    }

    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        try await set(baudRate)
        _ = await line.poller.sleep(until: line.poller.now + Self.transferTime)
        // On the polling thread: not between a read and the look at its bytes.
        await withTaskExecutorPreference(line.poller) {
            line.discardInput()
            state.withLock { state in
                state.detection.restartSearch(from: baudRate, at: line.poller.now)
                (state.hasChanged, state.kept) = (true, [])
            }
        }
    }
}
