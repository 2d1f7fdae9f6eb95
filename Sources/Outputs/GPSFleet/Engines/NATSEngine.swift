// SPDX-License-Identifier: MIT
import CGPSNATS
import Dispatch
import GNSS
import Synchronization

/// An engine for NATS servers. It stores each message in the JetStream stream that contains the
/// message's subject.
package final class NATSEngine: Engine {
    private struct State {
        var connection: NATSConnection?
        var outstanding: Set<String> = []
        var times = AnswerTimes()
        var onEvent: (@Sendable (EngineEvent) -> Void)?
        var isClosed = false
        var isStreamChecked = false
    }

    package let window = 256

    private let url: EngineURL
    private let access: EngineAccess
    private let name: String
    private let stream: NATSStream?
    private let state = Mutex(State())
    /// The queue for calls that may block.
    private let queue = DispatchQueue(label: "gpsbridge.nats")
    /// The queue for lookups, which may also block. It is separate, so that messages do not wait
    /// for lookups.
    private let checks = DispatchQueue(label: "gpsbridge.nats.checks")

    /// Creates an engine. Before any message is sent, `stream` is created if it does not exist;
    /// `nil` creates none.
    package init(_ url: EngineURL, _ access: EngineAccess, name: String, stream: NATSStream?) {
        self.url = url
        self.access = access
        self.name = name
        self.stream = stream
    }

    package func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(FleetError) {
        // Creating the options here reports permanent failures, such as files that cannot be read.
        _ = try NATSOptions(url, access, name: name)
        state.withLock { $0.onEvent = onEvent }
        queue.async { self.connect() }
    }

    package func close() {
        let connection = state.withLock { state in
            state.isClosed = true
            state.onEvent = nil
            return exchange(&state.connection, with: nil)
        }
        withExtendedLifetime(connection) {}
    }

    package func send(_ message: EngineMessage) {
        queue.async {
            let (connection, time) = self.state.withLock { state in
                state.outstanding.insert(message.id)
                return (state.connection, state.times.time(for: message.id))
            }
            do throws(NATSConnection.Failure) {
                guard let connection else {
                    throw NATSConnection.Failure(
                        NATS_CONNECTION_DISCONNECTED, text: "not connected")
                }
                try connection.publish(
                    message.destination, message.bytes, id: message.id, maxWait: time)
            } catch {
                self.answered(message.id, .failure(error))
            }
        }
    }

    private func emit(_ event: EngineEvent) {
        let handler = state.withLock { $0.onEvent }
        handler?(event)
    }

    private func answered(_ id: String, _ result: Result<StoreReceipt, NATSConnection.Failure>) {
        let isOutstanding = state.withLock { state in
            if case .failure(let failure) = result, failure.status == NATS_TIMEOUT {
                state.times.timedOut(id)
            } else {
                state.times.answered(id)
            }
            return state.outstanding.remove(id) != nil
        }
        guard isOutstanding else { return }
        switch result {
        case .success(let receipt): emit(.stored(id: id, receipt))
        // Refuse a message that is too large, so that its fixes are sent in smaller messages. If it
        // was sent again unchanged, it would block all others.
        case .failure(let failure) where failure.isTooLarge:
            let refusal = EngineRefusal("the message is too large", isOfReceiver: false)
            emit(.refused(id: id, refusal))
        case .failure(let failure): emit(.failed(id: id, Self.failure(failure)))
        }
    }

    package func check(_ id: String, at position: StreamPosition, token: Int) {
        checks.async {
            // Lookups are only sent if a stream was given, because only users who may create
            // streams are known to have the permission to read them.
            let connection = self.stream == nil ? nil : self.state.withLock { $0.connection }
            self.emit(
                .checked(token: token, connection?.presence(of: id, at: position) ?? .unknown))
        }
    }

    // MARK: The connection

    private func connect() {
        guard !state.withLock({ $0.isClosed }) else { return }
        do throws(FleetError) {
            let connection = try NATSConnection(
                url, access, name: name,
                onAck: { [weak self] id, result in self?.answered(id, result) },
                onEvent: { [weak self] in self?.handle($0) })
            state.withLock { state in
                if !state.isClosed { state.connection = connection }
            }
        } catch {
            emit(.disconnected(error.description))
            retry()
        }
    }

    private func retry() {
        let delay = Double.random(in: 5...15)
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.connect() }
    }

    private func handle(_ event: NATSConnection.Event) {
        switch event {
        case .connected: queue.async { self.ready() }
        case .disconnected(let reason): emit(.disconnected(reason))
        case .error(let text): emit(.note(text))
        case .closed(let reason):
            let (old, outstanding, isClosed) = state.withLock { state in
                defer {
                    state.connection = nil
                    state.outstanding = []
                }
                return (state.connection, state.outstanding, state.isClosed)
            }
            guard !isClosed else { return }
            emit(.disconnected(reason))
            for id in outstanding {
                emit(.failed(id: id, EngineFailure(reason, isGeneral: false)))
            }
            // The old connection is released on the queue, because the current thread belongs to
            // it.
            queue.async { withExtendedLifetime(old) {} }
            retry()
        }
    }

    /// Handles a new connection. Creates the stream if necessary, and then reports that messages
    /// may be sent.
    private func ready() {
        guard let connection = state.withLock({ $0.connection }), connection.isConnected else {
            return
        }
        if let stream, !state.withLock({ $0.isStreamChecked }) {
            do throws(FleetError) {
                if let note = try stream.establish(connection) { emit(.note(note)) }
                state.withLock { $0.isStreamChecked = true }
            } catch {
                emit(.disconnected("\(error)"))
                queue.asyncAfter(deadline: .now() + 2) { [weak self] in self?.ready() }
                return
            }
        }
        emit(.connected)
    }

    private static func failure(_ failure: NATSConnection.Failure) -> EngineFailure {
        switch failure.status {
        case NATS_NO_RESPONDERS:
            EngineFailure(
                "no stream accepts the message: the stream has no leader now or does not exist (see --create-stream)",
                isGeneral: true)
        case NATS_TIMEOUT: EngineFailure("the server did not answer in time", isGeneral: false)
        default: EngineFailure(failure.text, isGeneral: true)
        }
    }
}

/// A message stored in a stream.
package struct StoredMessage: Sendable {
    /// The encoded content of the message.
    package let bytes: [UInt8]
    /// The time when the message was stored according to the server's clock, in milliseconds of
    /// Unix time.
    package let time: Int64
}

extension NATSConnection {
    /// Returns the last message in a stream for each subject that matches `subjects`.
    ///
    /// Blocks until all messages have been received. Throws an error if the stream does not exist
    /// or does not answer for ten seconds.
    package func lastMessages(
        of stream: String, subjects: String
    ) throws(FleetError) -> [StoredMessage] {
        var options = jsSubOptions()
        jsSubOptions_Init(&options)
        options.Config.DeliverPolicy = js_DeliverLastPerSubject
        options.Config.AckPolicy = js_AckNone
        var subscription: OpaquePointer?
        var code = jsErrCode(0)
        let status = stream.withCString { stream in
            options.Stream = stream
            return js_SubscribeSync(
                &subscription, jetStream, subjects, nil, &options, &code)
        }
        guard status == NATS_OK, let subscription else {
            let failure = Failure(status, code: code)
            throw FleetError("the stream \(stream): \(failure.text(reading: subjects))")
        }
        defer {
            natsSubscription_Unsubscribe(subscription)
            natsSubscription_Destroy(subscription)
        }
        natsSubscription_SetPendingLimits(subscription, -1, -1)
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        guard natsSubscription_GetConsumerInfo(&info, subscription, nil, nil) == NATS_OK else {
            throw FleetError("the stream \(stream): the server does not answer")
        }
        var rest = (info?.pointee.NumPending ?? 0) + (info?.pointee.Delivered.Consumer ?? 0)
        jsConsumerInfo_Destroy(info)
        var messages: [StoredMessage] = []
        while rest > 0 {
            var message: OpaquePointer?
            guard natsSubscription_NextMsg(&message, subscription, 10_000) == NATS_OK, let message
            else { throw FleetError("the stream \(stream): the server did not answer within 10 s") }
            let stored = NATSMessage(message, of: self)
            let bytes = stored.bytes
            if !bytes.isEmpty, stored.sequence > 0 {
                messages.append(StoredMessage(bytes: bytes, time: stored.time / 1_000_000))
            }
            rest -= 1
        }
        return messages
    }
}

/// A received message. It is used by one thread at a time.
///
/// The corresponding C type is `natsMsg`.
final class NATSMessage {
    private let message: OpaquePointer
    /// The object that owns the subscription. It is kept alive, because acknowledging needs the
    /// subscription.
    private let owner: AnyObject
    /// The subject on which the message was published.
    let subject: String
    /// The name of the stream that contains the message; empty if no stream stores it.
    let stream: String
    /// The message's sequence number in the stream; 0 if no stream stores it.
    let sequence: UInt64
    /// The time when the message was stored, in nanoseconds of Unix time; 0 if no stream stores it.
    let time: Int64

    /// Takes ownership of a message that a subscription returned. `owner` is the object that owns
    /// the subscription.
    init(_ message: OpaquePointer, of owner: AnyObject) {
        self.message = message
        self.owner = owner
        subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
        var data: UnsafeMutablePointer<jsMsgMetaData>?
        let metadata = natsMsg_GetMetaData(&data, message) == NATS_OK ? data?.pointee : nil
        defer { jsMsgMetaData_Destroy(data) }
        stream = metadata?.Stream.map { String(cString: $0) } ?? ""
        sequence = metadata?.Sequence.Stream ?? 0
        time = metadata?.Timestamp ?? 0
    }

    deinit { natsMsg_Destroy(message) }

    /// The encoded content of the message.
    var bytes: [UInt8] {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else { return [] }
        return UnsafeRawBufferPointer(start: data, count: count).map { $0 }
    }

    /// Acknowledges the message without waiting. If the acknowledgement is lost, the server
    /// delivers the message again.
    ///
    /// The corresponding C function is `natsMsg_Ack`.
    func acknowledge() {
        _ = natsMsg_Ack(message, nil)
    }
}

/// A JetStream stream that stores the fixes of fleets.
package struct NATSStream: Hashable, Sendable {
    package var name = "GPS"
    /// The number of servers that store the stream.
    package var replicas = 1
    /// How long messages are kept, in seconds; `nil` to keep them indefinitely.
    package var maximumAge: Double? = 7 * 86_400
    /// The maximum size in bytes; `nil` for no limit.
    package var maximumSize: Int64?
    /// How long the stream remembers message ids to drop duplicates, in seconds.
    private static let duplicateWindow = 120.0

    /// The subjects that the stream stores.
    private static let subjects = "gps.>"

    /// Creates the default settings: the stream `GPS`, on one server, with messages kept for one
    /// week.
    package init() {}

    /// Returns whether NATS accepts a name for a stream: 1 to 255 bytes without blanks, control
    /// characters, `.`, `*`, `>`, `/` and `\`.
    package static func isName(_ text: String) -> Bool {
        1...255 ~= text.utf8.count
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !".*>/\\".utf8.contains($0) }
    }

    /// Creates the stream if it does not exist. An existing stream is not changed. Returns a line
    /// for the log; `nil` if there is nothing to report.
    ///
    /// An existing stream is never deleted and created again, because a stream that was recreated
    /// with the same name loses data when a server is killed.
    ///
    /// Throws an error if no server answers or the stream is refused. The corresponding C functions
    /// are `js_GetStreamInfo` and `js_AddStream`.
    func establish(_ connection: NATSConnection) throws(FleetError) -> String? {
        if let present = try presentReplicas(connection) {
            return present != replicas
                ? "the number of replicas of the stream \(name) is \(present), not \(replicas); an "
                    + "existing stream is not changed"
                : nil
        }
        try add(connection)
        return "the stream \(name) was created; its number of replicas is \(replicas)"
    }

    /// Returns the number of replicas of the stream; `nil` if the stream does not exist.
    private func presentReplicas(_ connection: NATSConnection) throws(FleetError) -> Int? {
        do throws(NATSConnection.Failure) {
            return try connection.streamInfo(name) { Int($0.Config.pointee.Replicas) }
        } catch {
            if error.status == NATS_NOT_FOUND || error.code == JSStreamNotFoundErr { return nil }
            throw FleetError("the stream \(name): \(NATSConnection.lastError(error.status))")
        }
    }

    private func add(_ connection: NATSConnection) throws(FleetError) {
        var config = jsStreamConfig()
        jsStreamConfig_Init(&config)
        var code = jsErrCode(0)
        config.Replicas = Int64(replicas)
        config.Storage = js_FileStorage
        config.Retention = js_LimitsPolicy
        config.Discard = js_DiscardOld
        config.MaxAge = maximumAge.map { Int64(nanosecondsIn: $0) } ?? 0
        config.MaxBytes = maximumSize ?? -1
        config.Duplicates = Int64(
            nanosecondsIn: min(Self.duplicateWindow, maximumAge ?? .infinity))
        let status = name.withCString { name in
            Self.subjects.withCString { subject in
                var subjects: [UnsafePointer<CChar>?] = [subject]
                return subjects.withUnsafeMutableBufferPointer { subjects in
                    config.Name = name
                    config.Subjects = subjects.baseAddress
                    config.SubjectsLen = 1
                    return js_AddStream(nil, connection.jetStream, &config, nil, &code)
                }
            }
        }
        guard status == NATS_OK else {
            throw FleetError(
                "the stream \(name) cannot be created: \(NATSConnection.lastError(status))")
        }
    }
}

/// A subscription that receives messages when they are published, even if no stream stores them. It
/// is used by one thread at a time.
///
/// The corresponding C type is `natsSubscription`.
final class NATSSubscription {
    private let connection: NATSConnection
    private let subscription: OpaquePointer

    /// Subscribes to a subject, which may contain wildcards.
    ///
    /// Throws an error if the subject is malformed or the connection is closed.
    init(_ connection: NATSConnection, subject: String) throws(FleetError) {
        var subscription: OpaquePointer?
        let status = natsConnection_SubscribeSync(&subscription, connection.connection, subject)
        guard status == NATS_OK, let subscription else {
            throw FleetError("\(subject): \(NATSConnection.text(status))")
        }
        self.connection = connection
        self.subscription = subscription
    }

    deinit { natsSubscription_Destroy(subscription) }

    /// The number of messages that were dropped because they were not read in time. libnats holds
    /// at most 65,536 messages, and 64 MiB.
    ///
    /// The corresponding C function is `natsSubscription_GetDropped`.
    var droppedCount: Int {
        var count: Int64 = 0
        return natsSubscription_GetDropped(subscription, &count) == NATS_OK ? Int(count) : 0
    }

    /// Waits for a message and returns its content; `nil` if none arrived in time.
    ///
    /// Throws an error if the connection is permanently closed. The corresponding C function is
    /// `natsSubscription_NextMsg`.
    func next(wait milliseconds: Int64) throws(FleetError) -> [UInt8]? {
        var message: OpaquePointer?
        let status = natsSubscription_NextMsg(&message, subscription, milliseconds)
        // Messages that were not read in time are skipped, because only the current state matters.
        guard status != NATS_TIMEOUT, status != NATS_SLOW_CONSUMER else { return nil }
        guard status == NATS_OK, let message else {
            throw FleetError(NATSConnection.text(status))
        }
        return NATSMessage(message, of: self).bytes
    }
}
