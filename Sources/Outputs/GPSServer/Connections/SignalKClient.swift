// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// An HTTP request of a Signal K client: for the WebSocket stream, or for `/signalk`, which lists
/// the stream's addresses.
struct SignalKRequest {
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
        endpoint.add("version", SignalKReports.version)
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
