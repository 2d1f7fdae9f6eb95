// SPDX-License-Identifier: MIT
import Glibc

/// A host and a port, and the sockets that can be made for them.
struct NetworkAddress {
    let host: String?
    let port: UInt16
    /// As in messages: `tcp://localhost:2947`.
    let name: String

    init(scheme: String, host: String?, port: UInt16) {
        self.host = host
        self.port = port
        name = "\(scheme)://\(host ?? "localhost"):\(port)"
    }

    /// Sockets with which `use` succeeds: the first of the addresses that the host has, or without
    /// a host one for each kind of address by which a machine reaches itself, of IPv6 and IPv4.
    ///
    /// The corresponding C function is `getaddrinfo`.
    func sockets(
        to purpose: String, _ type: __socket_type, _ use: (CInt, addrinfo) -> Bool
    ) throws(SimulationError) -> [CInt] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(type.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        guard result == 0 else {
            let number = result == EAI_SYSTEM ? errno : EADDRNOTAVAIL
            let reason = result == EAI_SYSTEM ? nil : String(cString: gai_strerror(result))
            throw SimulationError("cannot \(purpose) \(name)", errno: number, reason)
        }
        defer { freeaddrinfo(list) }
        var error = EADDRNOTAVAIL
        var sockets: [CInt] = []
        var next = list
        while let info = next?.pointee, host == nil || sockets.isEmpty {
            next = info.ai_next
            let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            let fd = Glibc.socket(info.ai_family, info.ai_socktype | flags, info.ai_protocol)
            if fd >= 0, use(fd, info) {
                sockets.append(fd)
                continue
            }
            error = errno
            if fd >= 0 { close(fd) }
            // Half of them would be somebody else's.
            guard error != EADDRINUSE || host != nil else { break }
        }
        guard !sockets.isEmpty, error != EADDRINUSE || host != nil else {
            for fd in sockets { close(fd) }
            throw SimulationError("cannot \(purpose) \(name)", errno: error)
        }
        return sockets
    }
}
