// SPDX-License-Identifier: MIT
import Devices
import GNSS
import GPSBridge
import Outputs

/// Reads a receiver for as long as there is one, and waits for it when it is gone; all that comes is
/// in the file at once, and on the disk within a second.
struct Recorder: ~Copyable {
    private static let second = Duration.seconds(1)

    private let source: any DeviceSource
    /// Whether a receiver that is not there is waited for from the start.
    private let isWaitedFor: Bool
    /// Whether it is recorded although another program reads it, too.
    private let isShared: Bool
    private let content: any RecordContent
    private var target: RecordTarget
    private var hasOpened = false
    private var isLost = false
    private var complaint: String?
    private var lastSync = ContinuousClock.now
    private var isUnsynced = false

    init(
        _ source: any DeviceSource, isWaitedFor: Bool, isShared: Bool,
        content: any RecordContent, target: consuming RecordTarget
    ) {
        self.source = source
        self.isWaitedFor = isWaitedFor
        self.isShared = isShared
        self.content = content
        self.target = target
    }

    /// Records until the source ends, or the task is cancelled.
    mutating func run() async throws {
        do {
            try await follow()
        } catch is CancellationError {
        } catch let error as DeviceError where error.code == .cancelled {
        }
        content.end()
        try target.finish()
        guard !target.isEmpty else {
            StandardError.say("nothing was recorded: \(target.name) is not written")
            return
        }
        let files = target.files > 1 ? " in \(target.files) files, the last" : ""
        StandardError.say("\(target.written) bytes were recorded\(files) to \(target.name)")
    }

    private mutating func follow() async throws {
        let availability = source.availability()
        var delay = Duration.milliseconds(100)
        while !Task.isCancelled {
            var isAbsent = false
            do {
                if let tty = source as? SerialSource { try refuseShared(tty.path) }
                let connection = try await source.open(detectingWith: { NMEAMessageDetector() })
                defer { connection.close() }
                try refuseShared(connection.name)
                opened(connection.name)
                return try await read(connection) { delay = .milliseconds(100) }
            } catch let error as DeviceError {
                try noteTrouble(error, canReturn: availability != nil)
                isAbsent = error.isAbsence
            }
            // Of what is not there, its appearance will be told.
            await availability?.next(until: isAbsent ? nil : .now + delay)
            delay = min(delay * 2, .seconds(30))
        }
    }

    /// Throws a `SharedTTY` where another program has it open.
    private func refuseShared(_ path: String) throws {
        guard source.origin == .live, let reader = TTYTreatment.otherReader(of: path) else {
            return
        }
        guard isShared else { throw SharedTTY(path: path, reader: reader) }
    }

    private mutating func opened(_ name: String) {
        if isLost { StandardError.say("\(name) is back") }
        if !isLost { StandardError.say("recording \(name) to \(target.name)") }
        isLost = false
        complaint = nil
        if !hasOpened { content.begin(OutputSource(name: name, origin: source.origin)) }
        hasOpened = true
    }

    private mutating func noteTrouble(_ error: DeviceError, canReturn: Bool) throws {
        guard error.code != .cancelled, error.code != .gpsd, canReturn else { throw error }
        if hasOpened, !isLost {
            isLost = true
            content.breakOff()
            try target.write(atOnce: true)
            StandardError.say("\(source.name) is gone: waiting for it to come back")
        } else if !hasOpened {
            guard isWaitedFor else { throw error }
            if complaint != "\(error)" { StandardError.say("waiting: \(error)") }
            complaint = "\(error)"
        }
    }

    // MARK: Bytes

    private mutating func read(
        _ connection: any DeviceConnection, onBytes: () -> Void
    ) async throws {
        var lineMonitor = source.origin == .live ? LineMonitor(connection) : nil
        var detector = NMEAMessageDetector()
        while true {
            let silence = content.silenceTolerance.map { ContinuousClock.now + $0 }
            let sync = isUnsynced ? lastSync + Self.second : nil
            let deadline = [silence, sync, target.deadline].compactMap { $0 }.min()
            switch try await connection.read(until: deadline) {
            case .bytes(let bytes):
                guard let now = SystemClock.now else { continue }
                try target.rotate(at: now)
                content.push(bytes, at: now)
                onBytes()
                let hasMessages = detector.detect(in: bytes).messages > 0
                if let trouble = lineMonitor?.received(bytes, hasMessages: hasMessages, at: .now) {
                    StandardError.say("\(trouble)")
                }
                try await lineMonitor?.throttle(at: .now)
            case .silence:
                _ = detector.silence()
                if let silence, silence <= .now { content.silence() }
            case .end:
                return
            }
            if case .understood(let settings)? = lineMonitor?.rateUpdate() {
                StandardError.say("\(connection.name) speaks at \(settings)")
            }
            try target.write()
            isUnsynced = true
            if lastSync + Self.second <= .now {
                target.sync()
                lastSync = .now
                isUnsynced = false
            }
        }
    }

}
