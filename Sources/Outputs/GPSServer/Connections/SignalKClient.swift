// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO

/// An HTTP request of a Signal K client: for the WebSocket stream, or for `/signalk`, which lists
/// the stream's addresses.
private struct SignalKRequest {
    /// The maximum size of a request in bytes.
    static let sizeLimit = 8192
    /// The end of the headers.
    static let blank = Array("\r\n\r\n".utf8)
    /// The path of the WebSocket stream.
    private static let stream = "/signalk/v1/stream"
    /// The constant that RFC 6455 appends to the client's key before hashing.
    private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    private let method: Substring
    private let version: Substring
    private let path: String
    private var headers: [String: String] = [:]

    /// Parses a complete request. Returns `nil` if it is malformed, is not valid UTF-8, has a body,
    /// or repeats a header that decides on the answer.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        (method, version) = (words[0], words[2])
        path = String(words[1].prefix { $0 != "?" })
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].lowercased()
            let value = String(line[line.index(after: colon)...]).trimmed
            guard headers[name] == nil || !Self.decides(name) else { return nil }
            headers[name] = value
        }
        guard headers["transfer-encoding"] == nil, (headers["content-length"] ?? "0") == "0" else {
            return nil
        }
    }

    /// Whether a header must not be repeated, because the answer or the end of the request depends
    /// on its value.
    private static func decides(_ name: String) -> Bool {
        name.hasPrefix("sec-") || ["host", "origin", "content-length"].contains(name)
    }

    /// Returns the response, and whether a WebSocket stream follows it. The response to `HEAD` is
    /// the response to `GET` without its content.
    func answer(_ access: HTTPAccess) -> (bytes: [UInt8], isStream: Bool) {
        guard method == "GET" || method == "HEAD" else {
            let answer = Self.response(
                405, "Method Not Allowed", "GET only\n", headers: "Allow: GET, HEAD\r\n")
            return (answer, false)
        }
        let answer = content(access)
        guard method == "HEAD", let end = answer.bytes.firstRange(of: Self.blank)?.upperBound else {
            return answer
        }
        return (Array(answer.bytes[..<end]), false)
    }

    private func content(_ access: HTTPAccess) -> (bytes: [UInt8], isStream: Bool) {
        let host = headers["host"] ?? ""
        let refusal = access.refusal(
            host: host, origin: headers["origin"], site: headers["sec-fetch-site"],
            isNavigation: headers["sec-fetch-mode"] == "navigate")
        if let refusal, case .bytes(let text) = refusal.body {
            return (
                Self.response(refusal.status, "Refused", String(decoding: text, as: UTF8.self)),
                false
            )
        }
        switch path {
        case "/signalk", "/signalk/": return (discovery(host), false)
        case Self.stream: return webSocket
        default: return (Self.response(404, "Not Found", "not found; try \(Self.stream)\n"), false)
        }
    }

    private var webSocket: (bytes: [UInt8], isStream: Bool) {
        let protocols = (headers["upgrade"] ?? "").split(separator: ",").map {
            String($0).trimmed.lowercased()
        }
        guard method == "GET", version == "HTTP/1.1", protocols.contains("websocket"),
            headers["sec-websocket-version"] == "13", let key = headers["sec-websocket-key"]
        else {
            // RFC 9110 and RFC 6455 require these headers.
            let answer = Self.response(
                426, "Upgrade Required", "this path needs a WebSocket\n",
                headers: "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
                connection: "Upgrade, close")
            return (answer, false)
        }
        guard Self.isKey(key) else { return (Self.malformed, false) }
        let accept = String(base64: SHA1.hash(Array((key + Self.guid).utf8)))
        let text =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
        return (Array(text.utf8), true)
    }

    /// Returns whether text is 16 bytes in Base64, as RFC 6455 requires of the key.
    private static func isKey(_ text: String) -> Bool {
        let digits = text.utf8.dropLast(2)
        return digits.count == 22 && text.hasSuffix("==")
            && digits.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
            // The last digit has four bits that belong to no byte.
            && digits.last.map { Array("AQgw".utf8).contains($0) } == true
    }

    /// Returns the response to `/signalk` with the streams' addresses. `host` has passed the access
    /// check.
    private func discovery(_ host: String) -> [UInt8] {
        var endpoint = JSONObject()
        endpoint.add("version", SignalKDeltas.version)
        endpoint.add("signalk-ws", "ws://\(host)\(Self.stream)")
        endpoint.add("signalk-tcp", "tcp://\(host)")
        var endpoints = JSONObject()
        endpoints.add("v1", json: endpoint.description)
        var server = JSONObject()
        server.add("id", "gpsbridge")
        server.add("version", Release.version)
        var object = JSONObject()
        object.add("endpoints", json: endpoints.description)
        object.add("server", json: server.description)
        return Self.response(200, "OK", object.description + "\n", type: "application/json")
    }

    private static func response(
        _ status: UInt32, _ reason: String, _ text: String, type: String = "text/plain",
        headers: String = "", connection: String = "close"
    ) -> [UInt8] {
        Array(
            ("HTTP/1.1 \(status) \(reason)\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(text.utf8.count)\r\nCache-Control: no-store\r\n"
                + "\(headers)Connection: \(connection)\r\n\r\n\(text)").utf8)
    }

    /// The response to a malformed request (400).
    static var malformed: [UInt8] { response(400, "Bad Request", "malformed request\n") }
}

/// What a Signal K client sends after it has begun with an HTTP request, and the replies to it. The
/// same bytes have the same replies, wherever they are split.
package struct SignalKConversation: Sendable {
    /// A reply to the client.
    package enum Reply: Equatable, Sendable {
        /// Send these bytes.
        case bytes([UInt8])
        /// Send these bytes, and then begin the stream of messages.
        case stream([UInt8])
        /// Send these bytes, and disconnect.
        case end([UInt8])
    }

    private enum State {
        case request([UInt8])
        case frames(WebSocketReader)
        case ended
    }

    private let access: HTTPAccess
    private var state = State.request([])

    /// Creates a conversation whose requests must be permitted by `access`.
    init(_ access: HTTPAccess) {
        self.access = access
    }

    /// Creates a conversation with a client on this machine, which may name the server only
    /// `localhost`.
    package init() {
        let wrongTokens = WrongTokens(now: { .now }, log: { _ in })
        access = HTTPAccess(
            isLocal: true, address: nil, hosts: [], token: nil, wrongTokens: wrongTokens)
    }

    /// Whether a part of a request or a frame has been received.
    package var isUnfinished: Bool {
        switch state {
        case .request: true
        case .frames(let reader): reader.isUnfinished
        case .ended: false
        }
    }

    /// Adds received bytes.
    package mutating func push(_ bytes: [UInt8]) {
        switch exchange(&state, with: .ended) {
        case .request(let former): state = .request(former + bytes)
        case .frames(var reader):
            reader.push(bytes)
            state = .frames(reader)
        case .ended: break
        }
    }

    /// Returns the next reply; `nil` if more bytes are needed.
    package mutating func next() -> Reply? {
        switch exchange(&state, with: .ended) {
        case .ended: return nil
        case .request(let bytes): return reply(to: bytes)
        case .frames(var reader):
            while let action = reader.next() {
                switch action {
                case .ignore: continue
                case .pong(let payload):
                    state = .frames(reader)
                    return .bytes(WebSocketFrame.pong(payload))
                case .close(let status): return .end(WebSocketFrame.close(status))
                }
            }
            state = .frames(reader)
            return nil
        }
    }

    private mutating func reply(to bytes: [UInt8]) -> Reply? {
        // A request that is too long is refused even if its end has already been received.
        let first = bytes.prefix(SignalKRequest.sizeLimit)
        guard let end = first.firstRange(of: SignalKRequest.blank)?.upperBound else {
            guard bytes.count < SignalKRequest.sizeLimit else {
                return .end(SignalKRequest.malformed)
            }
            state = .request(bytes)
            return nil
        }
        guard let request = SignalKRequest(Array(bytes[..<end])) else {
            return .end(SignalKRequest.malformed)
        }
        let answer = request.answer(access)
        guard answer.isStream else { return .end(answer.bytes) }
        var reader = WebSocketReader()
        reader.push(bytes[end...])
        state = .frames(reader)
        return .stream(answer.bytes)
    }

    /// Returns the reply to a client that does not complete a request or a frame in time. The
    /// conversation has then ended.
    package mutating func expire() -> [UInt8]? {
        switch exchange(&state, with: .ended) {
        case .request: SignalKRequest.malformed
        case .frames: WebSocketFrame.close(1002)
        case .ended: nil
        }
    }

    /// Returns the reply to a client that closes its sending side; `nil` if none is needed.
    mutating func endInput() -> [UInt8]? {
        if case .request = state { expire() } else { nil }
    }
}

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
        let hello = SignalKDeltas.hello(vessel: VesselIdentity.own, time: SystemClock.now)
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
        var conversation = SignalKConversation(access)
        conversation.push(first)
        /// The time at which the incomplete request or frame expires; `nil` if there is none.
        var deadline: MonotonicInstant?
        while true {
            while let reply = conversation.next() {
                deadline = nil
                switch reply {
                case .bytes(let bytes):
                    await connection.waitForRoom(for: bytes)
                    connection.send(kept: bytes)
                case .stream(let bytes):
                    connection.send(kept: bytes)
                    begin(hub, isFramed: true)
                case .end(let bytes): return connection.send(kept: bytes)
                }
            }
            deadline =
                conversation.isUnfinished
                ? deadline ?? connection.poller.now + Self.timeout : nil
            switch await connection.read(until: deadline) {
            case .bytes(let bytes): conversation.push(bytes)
            case .silence:
                if let bytes = conversation.expire() { connection.send(kept: bytes) }
                return
            case .end:
                if let bytes = conversation.endInput() { connection.send(kept: bytes) }
                return
            case .hangup, .cancelled, .failed: return
            }
        }
    }
}

/// The identity of this vessel in Signal K, and of this device in NMEA 2000. It is derived from
/// `/etc/machine-id`, but does not reveal it.
enum VesselIdentity {
    /// The vessel's Signal K context: `vessels.urn:mrn:signalk:uuid:` and a UUID.
    static let own =
        "vessels.urn:mrn:signalk:uuid:" + uuid(of: Array("gpsbridge Signal K ".utf8) + id)

    /// Returns the 24-bit unique number of the NMEA 2000 device on a CAN interface.
    static func number(for interface: String) -> UInt32 {
        SHA1.hash(Array("gpsbridge NMEA 2000 \(interface) ".utf8) + id).prefix(3)
            .reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The contents of `/etc/machine-id`; random bytes for each process if it cannot be read.
    private static let id: [UInt8] = {
        let id = Array((RegularFile.contents("/etc/machine-id") ?? []).prefix(64))
        return id.isEmpty ? (0..<16).map { _ in UInt8.random(in: .min ... .max) } : id
    }()

    /// Returns a UUID in version 4 format with the first bits of the SHA-1 hash of `bytes`.
    private static func uuid(of bytes: [UInt8]) -> String {
        var hash = Array(SHA1.hash(bytes).prefix(16))
        hash[6] = hash[6] & 0x0F | 0x40
        hash[8] = hash[8] & 0x3F | 0x80
        let digits = hash.map { String(hexadecimal: UInt64($0), width: 2) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
            .joined(separator: "-")
    }
}
