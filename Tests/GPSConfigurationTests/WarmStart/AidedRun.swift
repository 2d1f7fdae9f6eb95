// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import UBX

/// A session and a chip at the two ends of a line, in simulated time.
struct AidedRun {
    var chip: AidedChip
    /// What is stored.
    var stored: WarmStartData?
    /// The system's time at the start; `nil` while its clock is not synchronised.
    var clock: SynchronizedTime? = SynchronizedTime(.noon, maximumError: 0.02)
    var baudRate: Int? = 115_200
    /// Whether the baud rate has no effect.
    var isUSB = false
    var usbSerialNumber: String?
    /// The output of the receiver, each second.
    var output: [UInt8] = []

    private(set) var seconds = 0.0
    private(set) var written: [[UInt8]] = []

    init(_ chip: AidedChip, stored: WarmStartData? = nil) {
        (self.chip, self.stored) = (chip, stored)
    }

    /// Runs a session to its end, and returns its outcome.
    mutating func run(_ purpose: WarmStartSession.Purpose) -> WarmStartOutcome? {
        let elapsed = Elapsed()
        var session = WarmStartSession(
            purpose,
            line: ConfigurationLine(baudRate: baudRate, isNativeUSB: baudRate == nil),
            usbSerialNumber: usbSerialNumber
        ) { [clock] in
            clock.map {
                SynchronizedTime(
                    $0.time.adding(elapsed.seconds), maximumError: $0.maximumError)
            }
        }
        let start = MonotonicInstant.now
        var coming: [(at: Double, bytes: [UInt8])] = []
        var isBusyUntil = 0.0
        var nextOutput = 0.0
        seconds = 0
        func time(_ bytes: [UInt8]) -> Double {
            isUSB ? 0 : baudRate.map { Double(bytes.count) * 10 / Double($0) } ?? 0
        }
        while seconds < 120 {
            let now = start + .milliseconds(Int(seconds * 1000))
            elapsed.seconds = seconds
            while let output = session.next(at: now) {
                switch output {
                case .write(let bytes):
                    written.append(bytes)
                    for (delay, answer) in chip.answers(to: bytes) {
                        let due = seconds + time(bytes) + Double(delay) / 1000
                        isBusyUntil = max(due, isBusyUntil) + time(answer)
                        coming.append((isBusyUntil, answer))
                    }
                case .load: session.didLoad(stored, at: now)
                case .finished(let outcome): return outcome
                }
            }
            seconds += 0.001
            if seconds >= nextOutput {
                nextOutput += 1
                isBusyUntil = max(seconds, isBusyUntil) + time(output)
                coming.append((isBusyUntil, output))
            }
            let due = coming.filter { $0.at <= seconds }
            coming.removeAll { $0.at <= seconds }
            for piece in due {
                session.receive(piece.bytes, at: start + .milliseconds(Int(seconds * 1000)))
            }
        }
        return nil
    }
}
