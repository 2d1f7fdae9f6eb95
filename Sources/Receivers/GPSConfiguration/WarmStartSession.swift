// SPDX-License-Identifier: MIT
package import GNSS
import UBX

/// Sends a receiver its stored data before its first fix, or reads the data to store. It is a state
/// machine without a clock, a task or a file descriptor, for a line that other consumers also read.
///
/// Only one request is in progress at a time, and each is sent at most twice. Pass every byte of
/// the line to the session, and carry out its outputs in order until `.finished`.
package struct WarmStartSession: Sendable {
    /// The task of a session.
    package enum Purpose: Hashable, Sendable {
        /// Identify the receiver, and load its stored data.
        case identify
        /// Send the stored data to the receiver, unless it has a fix.
        case restore
        /// Read the data of the receiver.
        case collect
    }

    /// An action for the caller. Carry out actions in order.
    package enum Output: Hashable, Sendable {
        /// Write these bytes.
        case write([UInt8])
        /// Load the data that is stored for this receiver, and call `didLoad(_:at:)`.
        case load(WarmStartReceiver)
        /// The session has ended. No more outputs follow.
        case finished(WarmStartOutcome)
    }

    enum Phase: Hashable, Sendable {
        case start
        case version
        case number
        case solution
        case loading
        case readingFlowControl
        case enablingFlowControl
        case sending(next: Int)
        case collecting(attempt: Int)
        case restoringFlowControl
        case finished
    }

    let purpose: Purpose
    var line: ConfigurationLine
    /// The serial number of the receiver's USB device; `nil` if it has none.
    let usbSerialNumber: String?
    /// Returns the time of the system's clock; `nil` while the clock is not synchronised.
    let clock: @Sendable () -> SynchronizedTime?

    var phase = Phase.start
    var outputs: [Output] = []
    var pending: PendingExchange?
    /// The time at which to stop sending or collecting; `nil` until the session has begun.
    var limit: MonotonicInstant?

    /// The time at which the session began; `nil` before. `receivedCount` is the number of bytes
    /// received since then.
    var start: MonotonicInstant?
    var receivedCount = 0
    private var scanner = MessageScanner()
    var usesKeys = false
    var model = ""
    var firmware = ""
    var receiver: WarmStartReceiver?
    var solution: NavPVT?
    /// Whether the receiver has reported a fix since the session began.
    var hasFix = false
    var hasFlowControl = false
    /// The request that disables acknowledgements again; `nil` if they were already enabled.
    var restoration: [UInt8]?
    var plan: WarmStartPlan?
    var timeAttempts = 0
    /// The number of consecutive messages without an acknowledgement.
    var misses = 0
    var transfer: WarmStartTransfer?
    var data: WarmStartData?
    var result: WarmStartOutcome?

    /// The maximum duration of a session, so that other dialogues can run.
    private static let maximumDuration = Duration.seconds(15)

    /// Creates a session.
    package init(
        _ purpose: Purpose, line: ConfigurationLine, usbSerialNumber: String? = nil,
        clock: @escaping @Sendable () -> SynchronizedTime?
    ) {
        (self.purpose, self.line) = (purpose, line)
        (self.usbSerialNumber, self.clock) = (usbSerialNumber, clock)
    }

    /// When to call `next(at:)` again even if no bytes arrive; `nil` if only bytes or `didLoad` can
    /// continue the session.
    package var wakeAt: MonotonicInstant? {
        guard let deadline = pending?.deadline, let limit else { return nil }
        return isCollecting ? min(deadline, limit) : deadline
    }

    private var isCollecting: Bool { if case .collecting = phase { true } else { false } }

    /// Handles bytes from the line. They may contain other output of the receiver between replies.
    package mutating func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
        receivedCount += bytes.count
        for message in scanner.messages(in: bytes, at: now) {
            hasFix = hasFix || message.reportsFix
            guard let outcome = pending?.receive(message, at: now) else { continue }
            pending = nil
            didFinish(outcome, at: now)
        }
    }

    /// Passes the data that is stored for the receiver of `.load`; `nil` if none is stored.
    package mutating func didLoad(_ stored: WarmStartData?, at now: MonotonicInstant) {
        guard phase == .loading, let receiver else { return }
        let own = stored.flatMap { $0.receiver.name == receiver.name ? $0 : nil }
        switch purpose {
        case .identify: finish(.identified(receiver, own))
        case .restore: prepareTransfer(own, at: now)
        case .collect:
            if let own { data?.firstFixes = own.firstFixes }
            guard line.carriesDatabase else { return endTransfer(at: now) }
            beginFlowControl(at: now)
        }
    }

    /// Returns the next action; `nil` means to wait for bytes, for `wakeAt` or for `didLoad`.
    package mutating func next(at now: MonotonicInstant) -> Output? {
        while true {
            if !outputs.isEmpty { return outputs.removeFirst() }
            if phase == .start {
                (start, limit) = (now, now + Self.maximumDuration)
                ask(.version, Exchange(UBXFrame.bytes(MonVER.id, payload: [])), at: now)
                continue
            }
            guard let wakeAt, now >= wakeAt else { return nil }
            // Each entry restarts the timeout, so the overall limit is checked here.
            if isCollecting, let limit, now >= limit {
                pending = nil
                didFinish(.silent, at: now)
                continue
            }
            switch pending?.expire(at: now) {
            case .sendAgain(let bytes): return .write(bytes)
            case .concluded(let outcome):
                pending = nil
                didFinish(outcome, at: now)
            case nil: return nil
            }
        }
    }

    // MARK: Requests

    mutating func ask(_ phase: Phase, _ exchange: Exchange, at now: MonotonicInstant) {
        self.phase = phase
        outputs.append(.write(exchange.bytes))
        pending = PendingExchange(exchange, timeout: line.timeout(of: exchange), at: now)
    }

    mutating func finish(_ outcome: WarmStartOutcome) {
        guard phase != .finished else { return }
        phase = .finished
        pending = nil
        outputs.append(.finished(outcome))
    }

    private mutating func didFinish(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        switch phase {
        case .version: didIdentify(outcome, at: now)
        case .number: didReadNumber(outcome, at: now)
        case .solution: didReadSolution(outcome, at: now)
        case .readingFlowControl: didReadFlowControl(outcome, at: now)
        case .enablingFlowControl:
            if case .accepted = outcome { hasFlowControl = true }
            beginTransfer(at: now)
        case .sending(let index): didSend(index, outcome, at: now)
        case .collecting(let attempt): didCollect(outcome, attempt: attempt, at: now)
        case .restoringFlowControl: finish(result ?? .failed(.interrupted))
        case .start, .loading, .finished: break
        }
    }
}

extension ReceivedMessage {
    /// Whether the message reports a fix.
    var reportsFix: Bool {
        switch self {
        case .ubx(NavPVT.id, let payload): return NavPVT(payload: payload.span)?.hasFix == true
        case .line(let line):
            switch line.dropFirst(3).prefix(4) {
            case "RMC,": return line.field(2) == "A"
            case "GGA,": return line.field(6).map { $0 != "0" && !$0.isEmpty } ?? false
            default: return false
            }
        default: return false
        }
    }
}

extension String {
    /// Returns the field of a sentence with this index; the address has index 0.
    fileprivate func field(_ index: Int) -> Substring? {
        let fields = split(separator: ",", maxSplits: index + 1, omittingEmptySubsequences: false)
        return fields.indices.contains(index) ? fields[index] : nil
    }
}
