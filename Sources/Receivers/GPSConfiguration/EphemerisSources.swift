// SPDX-License-Identifier: MIT
package import GNSS
package import GNSSNavigation
import GPSIO
package import GPSReceivers
import NMEA
import Synchronization
import UBX

extension JournalFolder {
    /// The file with the newest ephemerides of all real receivers, or of all simulated ones.
    package func ephemerides(isSimulated: Bool) -> EphemerisFile {
        EphemerisFile(path: "\(path)/ephemerides\(isSimulated ? "-simulated" : "").rnx")
    }

    /// Returns the stored ephemerides that a real or a simulated receiver may get, and others, as far
    /// as they are useful at a time.
    package func assistance(
        isSimulated: Bool, at time: UTCTime, adding new: AssistanceData? = nil
    ) -> AssistanceData {
        let data = ephemerides(isSimulated: false).load(at: time, adding: new)
        return isSimulated ? ephemerides(isSimulated: true).load(at: time, adding: data) : data
    }
}

/// A RINEX navigation file with the newest ephemerides.
package struct EphemerisFile: Sendable {
    package let path: String

    /// Returns the ephemerides in the file, if it exists, and others, as far as they are useful at a
    /// time.
    package func load(at time: UTCTime, adding new: AssistanceData? = nil) -> AssistanceData {
        guard let now = AssistanceData.seconds(time) else { return AssistanceData() }
        var data =
            RegularFile.contents(path).map {
                AssistanceData(rinex: String(decoding: $0, as: UTF8.self), at: now)
            } ?? AssistanceData()
        if let new { data.merge(new, at: now) }
        return data
    }

    /// Adds ephemerides, and replaces the file atomically. Those that are not useful any more are
    /// left out.
    package func add(_ new: AssistanceData, at time: UTCTime) throws(DeviceError) {
        guard let now = AssistanceData.seconds(time) else { return }
        try StateFile.write(load(at: time, adding: new).rinex(at: now), to: path)
    }
}

/// Collects the ephemerides in a receiver's bytes.
final class NavigationCollector: Sendable {
    private struct State {
        var finder = UBXFrameFinder()
        var messages = NavigationMessages()
        var isSimulated = false
    }

    private let state = Mutex(State())

    /// The ephemerides that the receiver has sent.
    var data: AssistanceData {
        state.withLock { state in
            var data = state.messages.data
            data.isSimulated = state.isSimulated
            return data
        }
    }

    /// Marks the data as that of a simulated receiver.
    func setSimulated() { state.withLock { $0.isSimulated = true } }

    /// Adds bytes. Called on the polling thread.
    func push(_ bytes: [UInt8]) {
        state.withLock { Self.push(bytes, &$0.finder, &$0.messages) }
    }

    private static func push(
        _ bytes: [UInt8], _ finder: inout UBXFrameFinder, _ messages: inout NavigationMessages
    ) {
        finder.push(bytes) { messages.add($0) }
    }
}

/// Where ephemerides are read from, beside receivers.
package enum AssistanceSource: Hashable, Sendable {
    /// The path of a RINEX navigation file.
    case file(String)
    /// The members of a fleet that share theirs: `nats://HOST/FLEET`.
    case fleet(String)

    /// Creates a source from an address or a path; `nil` for an address of another kind, and for one
    /// with a password, which other users could read.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        guard let mark = text.firstRange(of: "://") else {
            self = .file(text)
            return
        }
        let parts = text[mark.upperBound...].split(
            separator: "/", omittingEmptySubsequences: false)
        let login = parts.first?.lastIndex(of: "@").map { parts[0][..<$0] } ?? ""
        guard ["nats", "tls"].contains(text[..<mark.lowerBound]), parts.count == 2,
            !parts[0].isEmpty, !parts[1].isEmpty, !login.contains(":")
        else { return nil }
        self = .fleet(text)
    }

    /// The path or address.
    package var name: String {
        switch self {
        case .file(let name), .fleet(let name): name
        }
    }

    /// The message about a source without useful ephemerides.
    package var emptiness: String {
        switch self {
        case .file(let path):
            "\(path) has no ephemeris of the last hours: download a navigation file of today"
        case .fleet(let url): "\(url) has no ephemeris of the last hours"
        }
    }

    /// Reads the source, which takes four seconds at most if it is a fleet. Returns the text of a
    /// RINEX navigation file.
    package func text() async throws(DeviceError) -> String {
        switch self {
        case .file(let path):
            try await BackgroundExecutor.run { () throws(DeviceError) in
                try Self.text(of: path)
            }
        case .fleet(let url): try await FleetSource(url).ephemerides()
        }
    }

    /// The maximum size of a file in bytes. The world's ephemerides of a day have a tenth of it.
    private static let limit = 64 << 20

    private static func text(of path: String) throws(DeviceError) -> String {
        func failure(_ reason: String) -> DeviceError {
            DeviceError(.invalidSource, device: path, detail: .reported(reason))
        }
        let bytes: [UInt8]
        do throws(RegularFile.ReadingError) {
            bytes = try RegularFile.bytes(of: path, limit: limit)
        } catch {
            throw failure("it cannot be read: \(error)")
        }
        guard !bytes.starts(with: [0x1F, 0x8B]) else {
            throw failure("it is compressed: decompress it with `gunzip` first")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let version = RINEXNavigation.version(of: text), version < 3 {
            throw failure(
                "it has version \(version) of RINEX: download a file of version 3 or 4, whose name ends with N.rnx"
            )
        }
        return text
    }
}

/// The ephemerides that do not come from the receivers that are read: those in a stream of
/// corrections (RTCM 3, types 1019, 1020, 1042 and 1044 to 1046), in a file, or of a fleet.
package final class OtherEphemerides: Sendable {
    private struct State {
        var data = AssistanceData()
        /// The data of simulated receivers, which real ones must not get.
        var simulated = AssistanceData()
        /// When `source` last had ephemerides; `nil` before.
        var read: MonotonicInstant?
        var reading: Task<Void, Never>?
    }

    /// For this time, what the source had is new enough: GPS satellites send new ephemerides every
    /// two hours.
    private static let interval = Duration.seconds(1800)

    private let source: AssistanceSource?
    private let clock: @Sendable () -> SynchronizedTime?
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates a collection without ephemerides. `report` is called with messages for the user if
    /// `source` cannot be read.
    package init(
        from source: AssistanceSource? = nil,
        clock: @escaping @Sendable () -> SynchronizedTime? = { .now },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.source, self.clock, self.report) = (source, clock, report)
    }

    /// Returns the newest ephemeris of each satellite, for a real or for a simulated receiver.
    package func data(isSimulated: Bool, at now: Int) -> AssistanceData {
        state.withLock { state in
            var data = state.data
            if isSimulated { data.merge(state.simulated, at: now) }
            return data
        }
    }

    /// Adds the payload of a message. Another type, and a message while the system's clock is not
    /// synchronised, have no effect: its week is ambiguous.
    package func add(rtcm payload: [UInt8]) {
        guard let time = (clock()?.time).flatMap({ GPSTime($0) }),
            let ephemeris = Ephemeris(rtcm: payload, near: time)
        else { return }
        state.withLock { $0.data.add(ephemeris, at: time.seconds) }
    }

    /// Reads the source, if there is one and it was not read in the last half hour. Several calls at
    /// the same time read it once. While the system's clock is not synchronised, ephemerides would be
    /// of no use, because their age is unknown.
    package func update() async {
        guard let source, let now = (clock()?.time).flatMap(AssistanceData.seconds) else { return }
        let reading = state.withLock { state -> Task<Void, Never>? in
            if let reading = state.reading { return reading }
            guard state.read.map({ $0 + Self.interval <= .now }) ?? true else { return nil }
            let reading = Task(executorPreference: BackgroundExecutor.shared) {
                await self.read(source, at: now)
            }
            state.reading = reading
            return reading
        }
        await withTaskCancellationHandler {
            await reading?.value
        } onCancel: {
            reading?.cancel()
        }
    }

    private func read(_ source: AssistanceSource, at now: Int) async {
        var data = AssistanceData()
        do throws(DeviceError) {
            data = AssistanceData(rinex: try await source.text(), at: now)
            if data.ephemerides(at: now).isEmpty { report(source.emptiness) }
        } catch {
            if error.code != .cancelled { report("no ephemerides were read: \(error)") }
        }
        state.withLock { state in
            if data.isSimulated {
                state.simulated.merge(data, at: now)
            } else {
                state.data.merge(data, at: now)
            }
            state.reading = nil
            if !data.ephemerides(at: now).isEmpty { state.read = .now }
        }
    }
}

/// The ephemerides that a receiver's frames complete.
private struct NavigationMessages {
    private var decoder = NavigationDecoder()
    private(set) var data = AssistanceData()

    mutating func add(_ frame: borrowing UBXFrame) {
        var results: [NavigationDecoder.Result] = []
        decoder.push(frame) { results.append($0) }
        for result in results {
            switch result {
            case .ephemeris(let ephemeris):
                data.add(ephemeris, at: ephemeris.sent ?? ephemeris.toe)
            case .parameters(let parameters): data.add(parameters)
            }
        }
    }
}
