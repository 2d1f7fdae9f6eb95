// SPDX-License-Identifier: MIT
import CGPSMicrohttpd

/// An HTTP request of libmicrohttpd. It is valid only during the call of the handler.
struct HTTPRequest: ~Copyable {
    private let request: OpaquePointer
    /// The decoded path of the URL.
    let path: String

    init(_ request: OpaquePointer) {
        self.request = request
        path = cmicrohttpd_path(request).map { String(cString: $0) } ?? ""
    }

    /// The client's address without its port; `nil` if the client has no address, as on a Unix
    /// socket.
    var client: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            guard let start = room.baseAddress, cmicrohttpd_client(request, start, room.count) != 0
            else { return nil }
            return String(cString: start)
        }
    }

    /// Returns the value of a header; `nil` if the client did not send it.
    func header(_ name: String) -> String? {
        cmicrohttpd_header(request, name).map { String(cString: $0) }
    }

    /// Whether the `Accept-Encoding` header, such as `br;q=1.0, gzip;q=0.8, *;q=0.1`, permits a
    /// response compressed with gzip; `false` without the header. An entry for gzip takes
    /// precedence over `*`.
    var acceptsGzip: Bool {
        var acceptsAny = false
        for entry in (header("Accept-Encoding") ?? "").lowercased().split(separator: ",") {
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

    /// Returns the value of a query parameter; `nil` if it is missing.
    func argument(_ name: String) -> String? {
        cmicrohttpd_argument(request, name).map { String(cString: $0) }
    }

    /// Returns all values of a cookie. A client may have several cookies with the same name, for
    /// different paths.
    func cookies(_ name: String) -> [String] {
        (header("Cookie") ?? "").split(separator: ";").compactMap { part in
            let pair = part.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? String(pair.dropFirst(name.count + 1)) : nil
        }
    }

    /// Returns the credentials of the `Authorization` header if it has the given scheme, such as
    /// `Bearer`; otherwise `nil`. The case of the scheme is ignored.
    func credentials(_ scheme: String) -> String? {
        guard let header = header("Authorization"), let space = header.firstIndex(of: " "),
            header[..<space].lowercased() == scheme.lowercased()
        else { return nil }
        return String(header[space...].drop { $0 == " " })
    }

    /// Returns whether the client already has the version of a file with this entity tag: its
    /// `If-None-Match` header, such as `"1a", W/"2b"`, contains the tag or is `*`.
    func hasVersion(_ tag: String) -> Bool {
        (header("If-None-Match") ?? "").split(separator: ",").contains { entry in
            let entry = entry.filter { $0 != " " && $0 != "\t" }
            return entry == "*"
                || (entry.hasPrefix("W/") ? String(entry.dropFirst(2)) : entry) == tag
        }
    }
}
