// SPDX-License-Identifier: MIT
package import AIS
import GNSS
package import GPSFormats
import GPSIO
package import GPSReceivers
import Synchronization

/// A destination of reports, such as a client.
package protocol ReportRecipient: AnyObject, Sendable {
    /// Queues complete lines for sending. Does not wait.
    func send(reports: [UInt8])
}

/// Distributes reports to clients. It collects the reports of one read from a receiver, and sends
/// each client the reports that its filter selects as one chunk.
package final class ReportHub: Sendable {
    private struct Entry {
        let recipient: any ReportRecipient
        let filter: ReportFilter
    }

    private struct State {
        var pending: [Report] = []
        /// The clients whose filter selects any reports.
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of clients with each filter. Most clients have one of a few filters.
        var filters: [ReportFilter: Int] = [:]
        /// The Signal K messages about active alarms, by receiver.
        var alarms: [String: [UInt8]] = [:]
        var onInterestChange: (@Sendable (_ sentences: Bool, _ bytes: Bool) -> Void)?
        /// Whether `flushPending` is sending reports. Newer reports wait until it has finished.
        var isFlushing = false

        /// Whether any client needs sentences, and whether any needs raw bytes. Signal K clients
        /// need sentences, because the values of instruments are read from them.
        var interest: (sentences: Bool, bytes: Bool) {
            (
                filters.keys.contains { $0.sentences || $0.signalK },
                filters.keys.contains(where: \.bytes)
            )
        }

        mutating func set(_ entry: Entry?, for id: ObjectIdentifier) {
            if let old = entries[id]?.filter, let count = filters[old] {
                filters[old] = count > 1 ? count - 1 : nil
            }
            entries[id] = entry.flatMap { $0.filter.isClosed ? nil : $0 }
            if let new = entries[id]?.filter { filters[new, default: 0] += 1 }
        }
    }

    /// The maximum number of clients to which `flush` sends directly. With more, `run` sends,
    /// because it yields between steps.
    private static let maximumDirectClients = 256
    /// The number of clients to which `run` sends between two yields, which takes less than a
    /// millisecond.
    private static let stride = 64
    /// The maximum number of clients for which `flush(ifFew: true)` sends reports.
    private static let fewClientsLimit = 16

    /// The names of the server and of the servers that read it. They prevent two servers from
    /// reading each other.
    package let chain = ServerChain()
    private let state = Mutex(State())
    private let (ticks, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Creates a hub without clients.
    package init() {}

    /// Whether any client has requested timing (`"timing":true`).
    var wantsTiming: Bool { state.withLock { $0.filters.keys.contains(where: \.isTimed) } }

    /// Whether any client receives JSON objects, and whether any receives `SUBFRAME`.
    var wantedObjects: (any: Bool, subframes: Bool) {
        state.withLock {
            (
                $0.filters.keys.contains(where: \.objects),
                $0.filters.keys.contains(where: \.subframes)
            )
        }
    }

    /// Whether there are any Signal K clients.
    package var wantsSignalK: Bool {
        state.withLock { $0.filters.keys.contains(where: \.signalK) }
    }

    /// The Signal K messages about active alarms, for a new client.
    package var alarms: [[UInt8]] { state.withLock { Array($0.alarms.values) } }

    /// Stores the Signal K message about the active alarms of a receiver; `nil` if there are none.
    func setAlarms(_ message: [UInt8]?, of receiver: String) {
        state.withLock { $0.alarms[receiver] = message }
    }

    /// The variants of AIS objects that clients requested.
    var vesselOptions: [AISReports.Options] {
        state.withLock { Array(Set($0.filters.keys.filter(\.objects).map(\.vessels))) }
    }

    /// Calls `body` immediately and after each change. Its arguments are whether any client needs
    /// sentences, and whether any needs raw bytes. Replaces the previous observer.
    func observeInterest(_ body: @escaping @Sendable (Bool, Bool) -> Void) {
        state.withLock { $0.onInterestChange = body }
        announceInterest()
    }

    /// Adds a client, or changes its filter.
    package func set(_ filter: ReportFilter, for recipient: some ReportRecipient) {
        change(Entry(recipient: recipient, filter: filter), ObjectIdentifier(recipient))
    }

    /// Removes a client.
    package func remove(_ recipient: some ReportRecipient) {
        change(nil, ObjectIdentifier(recipient))
    }

    private func change(_ entry: Entry?, _ id: ObjectIdentifier) {
        let hasChanged = state.withLock { state in
            let before = state.interest
            state.set(entry, for: id)
            return before != state.interest
        }
        if hasChanged { announceInterest() }
    }

    private func announceInterest() {
        let (interest, observer) = state.withLock { ($0.interest, $0.onInterestChange) }
        observer?(interest.sentences, interest.bytes)
    }

    /// Queues a report. It is sent by the next `flush()`, or with the next published report.
    package func append(_ report: Report) {
        state.withLock { $0.pending.append(report) }
    }

    /// Queues a report, and wakes `run()`, which sends all queued reports.
    package func publish(_ report: Report) {
        append(report)
        continuation.yield()
    }

    /// Sends the queued reports immediately. If there are more than 256 clients, or if `run()` is
    /// sending reports, wakes `run()` to send them instead. With `ifFew`, does nothing if there are
    /// more than 16 clients; the next flush sends the reports. Returns whether it has sent any
    /// report.
    @discardableResult
    package func flush(ifFew: Bool = false) -> Bool {
        let work = state.withLock { state -> (reports: [Report], entries: [Entry])? in
            guard !state.pending.isEmpty else { return nil }
            guard !ifFew || state.entries.count <= Self.fewClientsLimit else { return nil }
            if state.isFlushing || state.entries.count > Self.maximumDirectClients {
                return ([], [])
            }
            defer { state.pending.removeAll() }
            return (state.pending, Array(state.entries.values))
        }
        guard let work else { return false }
        guard !work.reports.isEmpty else {
            continuation.yield()
            return false
        }
        var batches: [ReportFilter: [UInt8]] = [:]
        var hasSent = false
        for entry in work.entries where Self.send(work.reports, to: entry, &batches) {
            hasSent = true
        }
        return hasSent
    }

    /// Sends queued reports whenever `publish` or `flush` requests it, until the task is cancelled.
    package func run() async {
        for await _ in ticks { await flushPending() }
    }

    private func flushPending() async {
        let (reports, entries) = state.withLock { state in
            defer { (state.pending, state.isFlushing) = ([], true) }
            return (state.pending, state.entries)
        }
        defer { state.withLock { $0.isFlushing = false } }
        guard !reports.isEmpty else { return }
        var batches: [ReportFilter: [UInt8]] = [:]
        var count = 0
        for entry in entries.values where Self.send(reports, to: entry, &batches) {
            count += 1
            if count % Self.stride == 0 { await Task.yield() }
        }
    }

    /// Sends a client the reports that its filter selects. Returns `false` if there are none.
    /// `batches` caches the bytes for each filter.
    private static func send(
        _ reports: [Report], to entry: Entry, _ batches: inout [ReportFilter: [UInt8]]
    ) -> Bool {
        let batch = batches[entry.filter] ?? Self.batch(reports, entry.filter)
        batches[entry.filter] = batch
        guard !batch.isEmpty else { return false }
        entry.recipient.send(reports: batch)
        return true
    }

    private static func batch(_ reports: [Report], _ filter: ReportFilter) -> [UInt8] {
        reports.reduce(into: []) { batch, report in
            guard filter.passes(report) else { return }
            guard !filter.isFramed else {
                // A frame has no line feed at its end.
                batch += WebSocketFrame.text(report.bytes.dropLast())
                return
            }
            batch += filter.isTimed ? report.timedBytes ?? report.bytes : report.bytes
        }
    }
}

/// Encoded data for clients. It is encoded once, however many clients receive it.
package struct Report: Sendable {
    /// The kind of a report. Clients select reports by kind.
    package enum Kind: Hashable, Sendable {
        /// A JSON object.
        case object
        /// A `DEVICE` object: a device has been opened, closed or recognised.
        case device
        /// A `SUBFRAME` object.
        case subframe
        /// A JSON object with an AIS message, encoded with the given options.
        case vessel(AISReports.Options)
        /// A `TOFF` or `PPS` object.
        case timing
        /// A sentence with its line end. The formatter is empty for a proprietary sentence.
        case sentence(formatter: String)
        /// Raw bytes from the receiver.
        case bytes
        /// A delta message of Signal K.
        case signalK
    }

    package let kind: Kind
    /// The path of the device.
    package let device: String
    /// A complete line or, for `Kind.bytes`, whole messages. After a pause within a message, also
    /// its beginning, and later its rest.
    package let bytes: [UInt8]
    /// The line for clients that requested timing; `nil` if it is the same as `bytes`.
    let timedBytes: [UInt8]?

    package init(
        _ kind: Kind, device: String, bytes: [UInt8], timedBytes: [UInt8]? = nil
    ) {
        self.kind = kind
        self.device = device
        self.bytes = bytes
        self.timedBytes = timedBytes
    }
}

/// A client's selection of reports. Clients with equal filters share one encoded batch.
package struct ReportFilter: Hashable, Sendable {
    /// Whether JSON objects are sent.
    package var objects = false
    /// Whether `DEVICE` objects are sent even without other JSON objects.
    package var devices = false
    /// Whether `SUBFRAME` objects are sent. libgps does not know them, and its next release will
    /// end a connection at an unknown class, so a client must ask for scaled numbers.
    package var subframes = false
    /// The options of the AIS objects that are sent.
    var vessels = AISReports.Options()
    /// Whether `TOFF` and `PPS` are sent.
    package var timing = false
    package var sentences = false
    /// Whether raw bytes from the receiver are sent.
    package var bytes = false
    /// Whether delta messages of Signal K are sent.
    package var signalK = false
    /// Whether each report is sent as a WebSocket frame instead of a line.
    var isFramed = false
    /// Whether objects include the times when they arrived and were reported.
    var isTimed = false
    /// The only device whose reports are sent; `nil` for all.
    package var device: String?
    /// The devices whose reports are omitted, so that a device does not receive its own data.
    var excludedDevices: Set<String> = []
    /// The formatters of the sentences to send; `nil` for all.
    var formatters: Set<String>?

    /// Creates a filter that selects nothing.
    package init() {}

    /// Creates the filter for a client's `?WATCH` settings.
    package init(_ watch: Watch) {
        device = watch.device
        guard watch.isEnabled else { return }
        objects = watch.json
        devices = watch.isExtended
        if objects {
            subframes = watch.scaled
            vessels = AISReports.Options(
                isScaled: watch.scaled, splitsType24: watch.split24)
        }
        timing = watch.pps
        sentences = watch.raw < 2 && (watch.nmea || watch.raw == 1)
        bytes = watch.raw >= 2
        isTimed = watch.json && watch.timing
    }

    /// Whether the filter selects nothing.
    var isClosed: Bool {
        !objects && !devices && !timing && !sentences && !bytes && !signalK
    }

    /// Returns whether the filter selects a report.
    package func passes(_ report: Report) -> Bool {
        if let device, device != report.device { return false }
        if excludedDevices.contains(report.device) { return false }
        switch report.kind {
        case .object: return objects
        case .subframe: return subframes
        case .device: return objects || devices
        case .vessel(let options): return objects && options == vessels
        case .timing: return timing
        case .bytes: return bytes
        case .signalK: return signalK
        case .sentence(let formatter):
            guard sentences, let formatters else { return sentences }
            return formatters.contains(formatter)
        }
    }
}

extension GPSDReports {
    /// The reports written since the last `removeAll`, one object in each element, without line
    /// ends.
    var objects: [String] {
        bytes.withUnsafeBufferPointer {
            $0.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The same reports as lines that end with CR LF, as in gpsd's protocol.
    var lines: [[UInt8]] {
        bytes.withUnsafeBufferPointer { $0.split(separator: 0x0A).map { $0 + [0x0D, 0x0A] } }
    }
}

extension ReportTiming {
    /// Creates the timing of an epoch that is reported now. Returns `nil` if the system clock's
    /// time cannot be represented. With `forProfilers`, the timing includes the epoch's byte count.
    package init?(_ arrival: EpochArrival, forProfilers: Bool = false) {
        guard let now = SystemClock.nanoseconds else { return nil }
        let reported = Double(now) / 1e9
        let age = MonotonicInstant.now.seconds(since: arrival.firstByte)
        self.init(firstByte: reported - age, reported: reported)
        if forProfilers { byteCount = arrival.byteCount }
    }
}
