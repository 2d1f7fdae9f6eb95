// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import Testing

/// A session and a chip at the two ends of a line, in simulated time.
struct Conversation<Chip: ModelChip> {
    var session: ConfigurationSession
    var chip: Chip
    /// The baud rate at the host's end.
    var hostRate: Int
    /// The files that the host stores.
    var journal: ConfigurationJournal?
    var progress: [ConfigurationProgress] = []
    var written: [[UInt8]] = []
    private(set) var milliseconds = 0

    /// A receiver with native USB always has the same rate at both ends.
    private let hasRate: Bool
    private let start = MonotonicInstant.now
    private var coming: [(at: Int, rate: Int, bytes: [UInt8])] = []
    private var sentTenths = 0

    init(
        _ request: ConfigurationRequest, _ chip: Chip, isNativeUSB: Bool = false,
        hostRate: Int? = nil
    ) {
        self.chip = chip
        hasRate = !isNativeUSB
        self.hostRate = hostRate ?? chip.baudRate
        session = ConfigurationSession(
            request,
            line: ConfigurationLine(
                baudRate: isNativeUSB ? nil : self.hostRate, isNativeUSB: isNativeUSB))
    }

    private var now: MonotonicInstant { start + .milliseconds(milliseconds) }

    /// Runs until the end, or until a number of outputs has been executed. Returns `nil` in the
    /// second case.
    mutating func run(outputs limit: Int = .max) -> ConfigurationOutcome? {
        var count = 0
        while milliseconds < 300_000 {
            while let output = session.next(at: now) {
                guard count < limit else { return nil }
                count += 1
                switch output {
                case .write(let bytes): write(bytes)
                case .setLineRate(let rate): hostRate = rate
                case .journal(let new): journal = new
                case .progress(let news): progress.append(news)
                case .restartExpected: break
                case .finished(let outcome): return outcome
                }
            }
            advance()
        }
        return nil
    }

    /// Runs until the end. Throws if the session fails.
    @discardableResult
    mutating func report(
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ConfigurationReport {
        let outcome = run()
        guard case .done(let report)? = outcome else {
            Issue.record("\(String(describing: outcome))", sourceLocation: sourceLocation)
            throw CancellationError()
        }
        return report
    }

    private mutating func write(_ bytes: [UInt8]) {
        written.append(bytes)
        guard !hasRate || hostRate == chip.baudRate else { return }
        for (delay, answer) in chip.answers(to: bytes) {
            coming.append((milliseconds + delay, chip.baudRate, answer))
        }
    }

    /// Advances to the next event.
    private mutating func advance() {
        milliseconds += 10
        if milliseconds / 100 > sentTenths {
            sentTenths = milliseconds / 100
            let bytes = chip.output(tenth: sentTenths)
            if !bytes.isEmpty { coming.append((milliseconds, chip.baudRate, bytes)) }
        }
        let due = coming.filter { $0.at <= milliseconds }
        coming.removeAll { $0.at <= milliseconds }
        for piece in due {
            let isReadable = !hasRate || piece.rate == hostRate
            // At a wrong rate, the bytes are noise.
            session.receive(
                isReadable ? piece.bytes : piece.bytes.map { $0 & 0x1C | 0xE0 }, at: now)
        }
    }
}
