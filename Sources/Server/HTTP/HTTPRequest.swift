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
