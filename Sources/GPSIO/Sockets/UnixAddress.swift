// SPDX-License-Identifier: MIT
package import Glibc

/// The address of a Unix socket.
package struct UnixAddress: Sendable {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// Creates the address of a path; `nil` where it is too long.
    package init?(_ path: String) {
        let name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        length = socklen_t(offset + name.count + 1)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    }

    /// Hands the address to a C function.
    package func use<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
