// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSCommands
import GPSConfiguration
import GPSFormats
import GPSIO
import GPSReceivers
import GPSServer
import Glibc
import Synchronization

/// Prints the updates of receivers until all sources have ended, a signal is received, or `count`
/// is reached.
struct Monitor {
    let sources: [any DeviceSource]
    let format: MonitorFormat
    /// The number of fixes or sentences to print, for all sources together; `nil` for no limit.
    let count: Int?
    /// Additional columns of CSV.
    let columns: OutputColumns
    /// The units of the text; `nil` for SI units.
    let units: Units?
    /// Collects a plot for the only source; `nil` without `--plot`.
    let plotter: Plotter?

    /// Runs the monitor. Updates are printed on the polling thread, which never waits for the
    /// reader of the output.
    func run() async throws {
        let progress = MonitorProgress(count: count, sources: sources)
        var metadata = OutputMetadata()
        metadata.columns = columns
        var csv = CSVFormat(metadata)
        var head: [UInt8] = []
        if format == .csv {
            csv.begin(OutputSource())
            csv.drain { head = $0.withUnsafeBytes { Array($0) } }
        }
        let output = MonitorOutput(head: head) { progress.end.reject($0) }
        let titles = OutputSource.titles(
            of: sources.map { OutputSource(name: $0.name, origin: $0.origin) })
        let subscriptions = zip(sources, titles).flatMap { source, title in
            let printer = MonitorPrinter(
                source: source, title: title, isAlone: sources.count == 1, format: format,
                units: units, csv: csv, plotter: plotter, output: output,
                progress: progress)
            return subscribe(to: source, as: output.member, printer)
        }
        defer {
            for subscription in subscriptions { subscription.dispose() }
            output.reportLosses()
        }
        do {
            let status = try await progress.end.value
            try await output.finish()
            if let status { throw status }
        } catch let error as CancellationError {
            // The subscriptions end first, so that no later report is printed.
            for subscription in subscriptions { subscription.dispose() }
            try await output.finishFile()
            try progress.cancelled()
            throw error
        }
    }

    private func subscribe(
        to source: any DeviceSource, as member: SessionMember, _ printer: sending MonitorPrinter
    ) -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        // Safety: used on the polling thread only, where a session sends its updates and sentences.
        nonisolated(unsafe) var printer = printer
        // Sentences are subscribed first, because they must be requested before the receiver is
        // opened.
        return [
            format == .nmea
                ? session.sentences.observe { printer.print(sentence: $0) }.scoped : nil,
            format == .json
                ? session.encapsulated.observe { printer.print(vessel: $0) }.scoped : nil,
            session.navigation?.changes.observe { printer.set($0) }.scoped,
            session.join(as: member) { [weak session] update in
                printer.print(update)
                guard let device = update.openedDevice, source.origin.mayBeLive else { return }
                Task(executorPreference: BackgroundExecutor.shared) {
                    guard let message = await session?.finishRollback(at: device) else { return }
                    StandardError.print(message)
                }
            },
        ].compactMap(\.self)
    }
}

/// The output formats of `monitor`. To add one, see CONTRIBUTING.md, "Add an output".
enum MonitorFormat: String, CaseIterable {
    /// A screen that fills the terminal. Default on a terminal.
    case screen
    /// One readable line for each fix.
    case text
    /// gpsd's JSON objects, one per line.
    case json
    /// Comma-separated values, with one row for each fix.
    case csv
    /// The sentences as received.
    case nmea
}

/// Writes reports to standard output. It uses an ``Outbox``, so that a slow reader does not delay
/// receivers.
///
/// If more than `limit` bytes wait, a source that can pause is paused. For a receiver, the oldest
/// reports are dropped and counted instead.
final class MonitorOutput: Sendable {
    /// The maximum number of bytes that wait for a slow reader.
    private static let limit = 4 << 20
    /// The maximum time to finish writing reports to a file after a signal has ended the command.
    private static let fileLimit = Duration.seconds(5)

    /// The output's membership in the sessions of the receivers. Through it, the output pauses
    /// sources that can pause.
    let member = SessionMember()
    private let poller: Poller
    private let isFile: Bool
    private let outbox: Outbox

    /// Takes over standard output and writes `head`. `onFailure` is called if writing fails.
    init(
        head: [UInt8] = [], poller: Poller = .shared,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.poller = poller
        isFile = RegularFile(STDOUT_FILENO) != nil
        outbox = Outbox(
            isFile
                ? .background(poller) { Descriptor.write(all: $0, to: STDOUT_FILENO) }
                : Self.open(poller), limit: Self.limit, head: head,
            events: Outbox.Events(setFull: member.flow.setFull) { onFailure(Self.error($0)) })
    }

    private static func open(_ poller: Poller) -> Outbox.Destination {
        let shared = Descriptor(STDOUT_FILENO, owned: false, poller: poller)
        let kind = Node.Kind(of: STDOUT_FILENO)
        if kind == .socket { return .descriptor(shared, by: .send) }
        // The descriptor may be /dev/null, opened for reading in place of a closed output. It must
        // not be reopened for writing.
        guard kind != nil, fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
            return .descriptor(shared, by: .write)
        }
        // An open file description of its own, so that non-blocking mode does not affect other
        // processes. Opening the terminal of another user fails.
        let own = Glibc.open(
            "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return own >= 0
            ? .descriptor(Descriptor(own, poller: poller), by: .write)
            : .descriptor(shared, by: .pieces)
    }

    private static func error(_ errno: CInt) -> any Error {
        [EPIPE, ECANCELED].contains(errno)
            ? StandardOutput.Closed()
            : CommandFailure(writing: StandardOutput.ownName, errno: errno)
    }

    /// Prints the number of reports that were lost because the reader or the disk is too slow.
    func reportLosses() {
        let count = outbox.droppedCount
        guard count > 0 else { return }
        StandardError.print(
            "\(count) reports were lost: the \(isFile ? "disk" : "reader") is too slow")
    }

    /// Appends a report, which consists of complete lines. If `canWait` is `true`, the report is
    /// never dropped; the source pauses instead.
    ///
    /// Errors are passed to `onFailure` as `StandardOutput.Closed` or `CommandFailure`.
    func write(_ report: [UInt8], canWait: Bool) {
        if canWait { outbox.send(kept: report) } else { outbox.send(droppable: report) }
    }

    /// Waits until everything is written.
    ///
    /// - Throws: `StandardOutput.Closed`, `CommandFailure` or `CancellationError`.
    func finish() async throws {
        do {
            try await outbox.finish()
        } catch let error as IOError {
            throw Self.error(error.errno)
        }
    }

    /// If standard output is a file, waits until all reports are written to it, but no longer than
    /// `fileLimit`. Also waits in a cancelled task.
    ///
    /// - Throws: `ExitStatus` if some reports are not written. The reason is printed first.
    func finishFile() async throws {
        guard isFile else { return }
        do {
            try await outbox.finish(until: poller.now + Self.fileLimit, by: poller)
        } catch {
            StandardError.print("\(Self.error(error.errno))")
            throw ExitStatus.failed
        }
        let count = outbox.pendingCount
        guard count > 0 else { return }
        StandardError.print(
            "\(count) bytes were not written: the disk of standard output is too slow")
        throw ExitStatus.failed
    }
}

/// Determines when a monitor ends: after a number of fixes or sentences, or when its last source
/// ends.
final class MonitorProgress: Sendable {
    /// The promise of the monitor's exit status; `nil` for success. It is settled after the last
    /// update has been printed or shown.
    let end = Promise<ExitStatus?>()

    private let remaining: Mutex<Remaining>
    /// The names of the sources, unless their data needs no receiver.
    private let receivers: [String]
    private let hasData = Atomic(false)

    /// The fixes and sources that remain before the monitor ends.
    private struct Remaining {
        /// The number of fixes or sentences still to print; `nil` for no limit.
        var count: Int?
        /// The number of sources that have not ended.
        var sources: Int
        /// The exit status of sources that ended without success; `nil` if there are none.
        /// `.failed` takes precedence.
        var status: ExitStatus?
    }

    /// Creates a progress that ends after `count` fixes or sentences (`nil`: no limit), or when all
    /// sources have ended.
    init(count: Int?, sources: [any DeviceSource]) {
        remaining = Mutex(Remaining(count: count, sources: sources.count))
        let isLive = sources.allSatisfy { $0.origin.mayBeLive }
        receivers = isLive ? sources.map(\.name) : []
    }

    /// Whether the monitor ends after a number of fixes or sentences.
    var isCounting: Bool { remaining.withLock { $0.count != nil } }

    /// Notes that a receiver has sent something that the monitor prints or shows.
    func didReceiveData() {
        hasData.store(true, ordering: .relaxed)
    }

    /// Counts a printed fix or sentence.
    func countOne() {
        let isLast = remaining.withLock { remaining in
            guard let count = remaining.count, count > 0 else { return false }
            remaining.count = count - 1
            return count == 1
        }
        if isLast { end.fulfill(nil) }
    }

    /// Ends the monitor with an error, because a receiver cannot be monitored. The message is one
    /// line, and may refer to `gpsbridge doctor`.
    func fail(_ error: DeviceError) {
        guard [.permissionDenied, .busy, .configurationFailed].contains(error.code) else {
            end.reject(error)
            return
        }
        // Without a name, doctor may examine another receiver.
        let device = error.device.contains(" ") ? "'\(error.device)'" : error.device
        end.reject(CommandFailure("\(error) For details: gpsbridge doctor \(device)"))
    }

    /// Counts a source that has ended, or whose data does not count. `status` is `nil` if it
    /// succeeded. Other sources continue.
    func ended(_ device: String, _ status: ExitStatus?) {
        let last = remaining.withLock { remaining -> Remaining? in
            remaining.status = [remaining.status, status].compactMap { $0 }
                .min { $0.code < $1.code }
            remaining.sources -= 1
            return remaining.sources == 0 ? remaining : nil
        }
        guard let last else { return }
        end.fulfill(last.status ?? Self.missing(last, "\(device) has ended"))
    }

    /// If `--duration` has ended the monitor, prints the number of missing fixes or sentences, or
    /// that no receiver has sent data. Call it when the task has been cancelled.
    ///
    /// - Throws: `ExitStatus` if the duration has elapsed and fixes or all data are missing, or a
    ///   source has failed.
    func cancelled() throws {
        guard Signals.received == SIGALRM else { return }
        let last = remaining.withLock { $0 }
        let missing = Self.missing(last, "--duration is over", ": give a longer --duration")
        if let status = missing ?? last.status { throw status }
        guard !hasData.load(ordering: .relaxed), !receivers.isEmpty else { return }
        let names = receivers.joined(separator: ", ")
        MonitorPrinter.print(
            "--duration is over, but no usable data came from \(names): give a longer --duration, "
                + "or look for the cause with `gpsbridge doctor`")
        throw ExitStatus.nothingFound
    }

    /// Prints the number of missing fixes or sentences, and returns the exit status; `nil` if none
    /// are missing.
    private static func missing(
        _ remaining: Remaining, _ event: String, _ advice: String = ""
    ) -> ExitStatus? {
        guard let count = remaining.count, count > 0 else { return nil }
        MonitorPrinter.print(
            "\(event), but \(count) more were requested with --count\(advice)")
        return .nothingFound
    }
}

/// Shows receivers on a web page for browsers on this machine.
struct WebMonitor {
    /// The preferred port, common for web servers that don't run as root. If it is in use, any free
    /// port is used.
    private static let port: UInt16 = 8080

    let sources: [any DeviceSource]

    /// Serves the page and prints its address.
    ///
    /// - Throws: `ServerError` if no port is available.
    func run() async throws {
        let (server, address) = try await listening { StandardError.print($0) }
        try StandardOutput().write("\(address)\n")
        await server.run()
    }

    /// Serves the page while `work` also shows the receivers. `work` receives the page's address.
    ///
    /// - Throws: `ServerError` if no port is available, and the errors of `work`.
    func run(beside work: @escaping @Sendable (_ address: String) async throws -> Void) async throws
    {
        // Messages are dropped here, because `work` prints the same ones.
        let (server, address) = try await listening { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await server.run() }
            try await work(address)
        }
    }

    private func listening(
        _ log: @escaping @Sendable (String) -> Void
    ) async throws -> (server: ReceiverServer, address: String) {
        let server: ReceiverServer
        do {
            server = try await listening(port: Self.port, log)
        } catch is ServerError {
            server = try await listening(port: 0, log)
        }
        return (server, "http://localhost:\(server.httpPort ?? Self.port)/")
    }

    private func listening(
        port: UInt16, _ log: @escaping @Sendable (String) -> Void
    ) async throws -> ReceiverServer {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.http = [.loopback(port: port)]
        let server = try ReceiverServer(
            sources: sources, configuration: configuration, log: log)
        try await server.listen()
        return server
    }
}
