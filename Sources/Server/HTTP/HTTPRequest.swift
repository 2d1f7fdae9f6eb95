// SPDX-License-Identifier: MIT
import CMicrohttpd

/// A request, valid while it is handled.
struct HTTPRequest: ~Copyable {
    private let request: OpaquePointer
    /// The path of its URL, decoded.
    let path: String

    init(_ request: OpaquePointer) {
        self.request = request
        path = cmicrohttpd_path(request).map { String(cString: $0) } ?? ""
    }

    /// A header; `nil` where the client sent none.
    func header(_ name: String) -> String? {
        cmicrohttpd_header(request, name).map { String(cString: $0) }
    }

    /// Whether the client takes an answer that is compressed by gzip. One that does not say so might not.
    var acceptsGzip: Bool {
        Self.acceptsGzip(header("Accept-Encoding") ?? "")
    }

    /// By a header such as `br;q=1.0, gzip;q=0.8, *;q=0.1`: an entry for gzip counts before one for all.
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

    /// An argument of the URL; `nil` where there is none.
    func argument(_ name: String) -> String? {
        cmicrohttpd_argument(request, name).map { String(cString: $0) }
    }

    /// A cookie; `nil` where the client sent none.
    func cookie(_ name: String) -> String? {
        for part in (header("Cookie") ?? "").split(separator: ";") {
            let pair = part.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        }
        return nil
    }
}
