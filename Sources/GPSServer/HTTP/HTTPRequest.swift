// SPDX-License-Identifier: MIT
import CGPSMicrohttpd

/// An HTTP request, valid only while it is handled.
struct HTTPRequest: ~Copyable {
    private let request: OpaquePointer
    /// The path of its URL, decoded.
    let path: String

    init(_ request: OpaquePointer) {
        self.request = request
        path = cmicrohttpd_path(request).map { String(cString: $0) } ?? ""
    }

    /// The client's address without its port; `nil` if it has none, as on a Unix socket.
    var client: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            guard let start = room.baseAddress, cmicrohttpd_client(request, start, room.count) != 0
            else { return nil }
            return String(cString: start)
        }
    }

    /// Returns the value of a header; `nil` if the client sent none.
    func header(_ name: String) -> String? {
        cmicrohttpd_header(request, name).map { String(cString: $0) }
    }

    /// Whether the client accepts a response compressed with gzip. Without a header it counts as
    /// `false`.
    var acceptsGzip: Bool {
        Self.acceptsGzip(header("Accept-Encoding") ?? "")
    }

    /// Parses a header such as `br;q=1.0, gzip;q=0.8, *;q=0.1`; an entry for gzip takes precedence
    /// over `*`.
    static func acceptsGzip(_ header: String) -> Bool {
        var acceptsAny = false
        for entry in header.lowercased().split(separator: ",") {
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            let isAccepted = weight.map { (Double($0) ?? 0) > 0 } ?? true
            switch parts.first {
            case "gzip", "x-gzip": return isAccepted
            case "*": acceptsAny = isAccepted
            default: break
            }
        }
        return acceptsAny
    }

    /// Returns the value of a query parameter; `nil` if there is none.
    func argument(_ name: String) -> String? {
        cmicrohttpd_argument(request, name).map { String(cString: $0) }
    }

    /// Returns the values of a cookie. A client may send several, for different paths.
    func cookies(_ name: String) -> [String] {
        (header("Cookie") ?? "").split(separator: ";").compactMap { part in
            let pair = part.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? String(pair.dropFirst(name.count + 1)) : nil
        }
    }

    /// Returns the credentials of an `Authorization` header for a scheme, whose case is ignored;
    /// `nil` if there are none.
    func credentials(_ scheme: String) -> String? {
        guard let header = header("Authorization"), let space = header.firstIndex(of: " "),
            header[..<space].lowercased() == scheme.lowercased()
        else { return nil }
        return String(header[space...].drop { $0 == " " })
    }

    /// Returns whether the client has the version of a file with this tag (`If-None-Match`, also
    /// `*`).
    func hasVersion(_ tag: String) -> Bool {
        Self.names(header("If-None-Match") ?? "", tag)
    }

    /// Parses a header such as `"1a", W/"2b"`.
    static func names(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains { entry in
            let entry = entry.filter { $0 != " " && $0 != "\t" }
            return entry == "*"
                || (entry.hasPrefix("W/") ? String(entry.dropFirst(2)) : entry) == tag
        }
    }
}
