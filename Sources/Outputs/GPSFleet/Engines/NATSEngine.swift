// SPDX-License-Identifier: MIT
import CGPSNATS
import Dispatch
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
