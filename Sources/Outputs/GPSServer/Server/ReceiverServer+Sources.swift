// SPDX-License-Identifier: MIT
import GPSFormats
public import GPSReceivers
import Glibc
import Synchronization

extension ReceiverServer {
    /// Replaces the served receivers. Receivers whose source is already served are not interrupted,
    /// and clients stay connected. Call this while `run()` is running.
    ///
    /// Throws a ``ServerError``, and changes nothing, if a source would receive this server's own
    /// output.
    public func setSources(_ sources: [any DeviceSource]) async throws {
        try await changes.perform { try self.change(to: sources) }
    }

    /// Adds a receiver.
    ///
    /// Throws a ``ServerError`` if it is already served, if NMEA 2000 is used and another receiver
    /// is served, or if the source would receive this server's own output.
    func add(_ source: any DeviceSource) async throws {
        try await changes.perform {
            let present = self.receivers.map(\.source)
            let isServed = present.flatMap(\.parts).contains { part in
                part.identity == source.identity || part.readsSame(as: source)
            }
            guard !isServed else {
                throw ServerError(cannot: "add \(source.name)", errno: EALREADY)
            }
            guard self.nmea2000 == nil || present.isEmpty else {
                throw ServerError(cannot: "add \(source.name)", errno: EMLINK)
            }
            try self.change(to: present + [source])
        }
    }

    /// Stops serving a receiver.
    func remove(_ receiver: ServedReceiver) async throws {
        try await changes.perform {
            try self.change(to: self.receivers.filter { $0 !== receiver }.map(\.source))
        }
    }

    private func change(to sources: [any DeviceSource]) throws {
        let sources = sources.map { $0.read(by: hub.chain) }
        try refuseOwnOutputs(sources)
        for former in receivers.map(\.source)
        where !sources.contains(where: { former.readsSame(as: $0) }) {
            for part in [former] + former.parts { pool.forgetSession(for: part) }
        }
        let titles = Self.titles(of: sources)
        let change = SourceChange(of: receivers, to: sources, source: \.source) {
            receiver(sources[$0], title: titles[$0], index: $0)
        }
        served.withLock { $0 = change.all }
        for receiver in change.removed { receiver.end() }
        for (index, receiver) in change.all.enumerated() {
            receiver.setIndex(sources.count == 1 ? nil : index)
        }
        if let warning = limitClients(kinds: 1 + state.withLock({ $0.http.count })) {
            log(warning, .warning)
        }
        page?.setReceivers(change.all.map { ($0.source, $0.title) })
        observeInterest()
        for receiver in change.added { receiver.start() }
    }

    /// The receivers that are currently served.
    var receivers: [ServedReceiver] { served.withLock { $0 } }

    /// Returns the device path that clients see for each source: the file name of a recording if it
    /// is unique; otherwise `nil`, which stands for the source's name.
    static func titles(of sources: [any DeviceSource]) -> [String?] {
        OutputSource.titles(of: sources.map { OutputSource(name: $0.name, origin: $0.origin) })
    }

    /// Creates a receiver with this server's outputs and configuration.
    func receiver(_ source: any DeviceSource, title: String?, index: Int?) -> ServedReceiver {
        ServedReceiver(
            source, hub: hub, clocks: clocks, nmea2000: nmea2000,
            configuration: configuration, index: index, title: title, pool: pool, log: log)
    }

    /// Reports to each receiver whether any client needs sentences or raw bytes, immediately and
    /// after each change. Calls `ServedReceiver.setInterest`.
    func observeInterest() {
        hub.observeInterest { [weak self] sentences, bytes in
            for receiver in self?.receivers ?? [] {
                receiver.setInterest(sentences: sentences, bytes: bytes)
            }
        }
    }

    /// Throws a ``ServerError`` if a new source is one of this server's own outputs.
    private func refuseOwnOutputs(_ sources: [any DeviceSource]) throws(ServerError) {
        let present = receivers.map(\.source)
        let outputs = configuration.sentences + state.withLock { $0.datagrams }
        for source in sources where !present.contains(where: { $0.readsSame(as: source) }) {
            for part in source.parts {
                let isLoop = outputs.contains { $0.isLoop(for: part.name) }
                guard !isLoop, !isServedHere(part) else {
                    throw ServerError(cannot: "read \(part.name)", errno: ELOOP)
                }
            }
        }
    }
}

/// Ensures that a server's list of sources is changed by one caller at a time.
actor SourceChanges {
    func perform(_ change: @Sendable () throws -> Void) rethrows { try change() }
}
