// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO

/// A connected client that receives Signal K delta messages. If its first bytes are an HTTP
/// request, the messages are WebSocket frames, otherwise lines.
struct SignalKClient {
    /// The time to wait for an HTTP request. A client that sends nothing in this time receives
    /// lines.
    private static let silence = Duration.seconds(1)
    /// The maximum time from the first byte of an HTTP request, or of a frame, to its end.
    private static let timeout = Duration.seconds(10)

    let connection: ClientConnection
    let access: HTTPAccess

    /// Serves the client until it disconnects or the task is cancelled.
    func serve(from hub: ReportHub) async {
        await connection.whileOpen {
            await answer(hub)
            hub.remove(connection)
        }
    }

    private func answer(_ hub: ReportHub) async {
        switch await connection.read(until: connection.poller.now + Self.silence) {
        // The method of an HTTP request is in capitals. A browser must not receive lines as the
        // response to `POST`.
        case .bytes(let bytes) where bytes.first.map({ 0x41...0x5A ~= $0 }) == true:
            await serveHTTP(bytes, hub)
        // A client may close its sending side, and only receive.
        case .bytes, .silence, .end:
            begin(hub, isFramed: false)
            await connection.ignoreInput()
        case .hangup, .cancelled, .failed: return
        }
    }

    /// Sends Signal K's hello message, subscribes to the reports, and sends the active alarms.
    private func begin(_ hub: ReportHub, isFramed: Bool) {
        let hello = SignalKReports.hello(vessel: VesselIdentity.own, time: SystemClock.now)
        send(hello, isFramed)
        var filter = ReportFilter()
        filter.signalK = true
        filter.isFramed = isFramed
        hub.set(filter, for: connection)
        for alarms in hub.alarms { send(alarms, isFramed) }
    }

    private func send(_ line: [UInt8], _ isFramed: Bool) {
        connection.send(kept: isFramed ? WebSocketFrame.text(line.dropLast()) : line)
    }

    private func serveHTTP(_ first: [UInt8], _ hub: ReportHub) async {
        var bytes = first
        let deadline = connection.poller.now + Self.timeout
        while bytes.firstRange(of: SignalKRequest.blank) == nil {
            guard bytes.count <= SignalKRequest.sizeLimit,
                case .bytes(let more) = await connection.read(until: deadline)
            else { return connection.send(kept: SignalKRequest.malformed) }
            bytes += more
        }
        guard let end = bytes.firstRange(of: SignalKRequest.blank)?.upperBound,
            let request = SignalKRequest(Array(bytes[..<end]))
        else { return connection.send(kept: SignalKRequest.malformed) }
        let answer = request.answer(access)
        connection.send(kept: answer.bytes)
        guard answer.isStream else { return }
        begin(hub, isFramed: true)
        await readFrames(bytes[end...])
    }

    private func readFrames(_ rest: ArraySlice<UInt8>) async {
        var reader = WebSocketReader()
        reader.push(rest)
        /// The time at which the incomplete frame expires; `nil` if there is none.
        var deadline: MonotonicInstant?
        while true {
            while let action = reader.next() {
                deadline = nil
                switch action {
                case .ignore: break
                case .pong(let payload):
                    let pong = WebSocketFrame.pong(payload)
                    await connection.waitForRoom(for: pong)
                    connection.send(kept: pong)
                case .close(let status):
                    return connection.send(kept: WebSocketFrame.close(status))
                }
            }
            deadline =
                reader.isUnfinished ? deadline ?? connection.poller.now + Self.timeout : nil
            switch await connection.read(until: deadline) {
            case .bytes(let bytes): reader.push(bytes)
            case .silence: return connection.send(kept: WebSocketFrame.close(1002))
            case .end, .hangup, .cancelled, .failed: return
            }
        }
    }
}
