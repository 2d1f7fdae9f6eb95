// SPDX-License-Identifier: MIT
import GNSS
package import Glibc

/// An address to which a socket can be bound or connected.
package struct SocketAddress: Sendable {
    /// The address family: `AF_INET`, `AF_INET6` or `AF_UNIX`.
    package let family: CInt
    private var bytes: [UInt8]

    private init?(_ info: addrinfo) {
        guard let address = info.ai_addr else { return nil }
        family = info.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
    }

    /// Creates the address of a Unix socket: a path or, if `isAbstract` is `true`, a name in
    /// Linux's abstract namespace. Returns `nil` if it is too long.
    package init?(unix path: String, isAbstract: Bool = false) {
        let name = FileName.native(path).dropLast().map { UInt8(bitPattern: $0) }
        guard name.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        family = AF_UNIX
        bytes = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) }
        bytes += isAbstract ? [0] + name : name + [0]
    }

    /// Reads the address to which a socket is bound. Returns `nil` if it has none.
    ///
    /// The corresponding C function is `getsockname`.
    package init?(of socket: CInt) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &size)
            }
        }
        guard status == 0 else { return nil }
        family = CInt(storage.ss_family)
        bytes = withUnsafeBytes(of: storage) { Array($0.prefix(Int(size))) }
    }

    /// Parses a port from 0 to 65535. Returns `nil` for other text.
    package static func port(_ text: some StringProtocol) -> UInt16? {
        // `UInt16` alone would accept a sign.
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return UInt16(text)
    }

    /// An error of `getaddrinfo`.
    package struct LookupFailure: Error {
        /// The `errno` if a system call failed (`EAI_SYSTEM`); otherwise `nil`.
        package let errno: CInt?
        /// The error message (`gai_strerror`).
        package let reason: String
        /// Whether a name server answered that the host does not exist (`EAI_NONAME`).
        let isUnknownName: Bool

        /// The reason for a message; `nil` if the host does not exist.
        var knownReason: String? {
            isUnknownName ? nil : errno.map { String(cString: strerror($0)) } ?? reason
        }
    }

    /// Returns the TCP addresses of a host, best first. Blocks until a name server answers.
    ///
    /// If `host` is `nil`, returns the loopback addresses or, if `flags` contains `AI_PASSIVE`, the
    /// addresses for listening on all interfaces. The corresponding C function is `getaddrinfo`.
    package static func addresses(
        of host: String?, port: UInt16, flags: CInt = 0
    ) throws(LookupFailure) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | flags
        var list: UnsafeMutablePointer<addrinfo>?
        var result = getaddrinfo(host, String(port), &hints, &list)
        // `localhost` always means this machine (RFC 6761, 6.3), even if /etc/hosts does not list
        // it.
        if result != 0, host == "localhost" {
            result = getaddrinfo("127.0.0.1", String(port), &hints, &list)
        }
        guard result == 0 else {
            throw LookupFailure(
                errno: result == EAI_SYSTEM ? Glibc.errno : nil,
                reason: String(cString: gai_strerror(result)),
                isUnknownName: result == EAI_NONAME)
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            if let address = SocketAddress(info) { addresses.append(address) }
            next = info.ai_next
        }
        return addresses
    }

    /// This machine's name; `nil` if it is not known.
    ///
    /// The corresponding C function is `gethostname`.
    package static var ownName: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        return name.first == 0 ? nil : String(terminated: name)
    }

    /// The numeric addresses of this machine's interfaces; empty if they cannot be listed.
    ///
    /// The corresponding C function is `getifaddrs`.
    package static var ownHosts: Set<String> { interfaceHosts { $0.ifa_addr } }

    /// The broadcast addresses of this machine's interfaces.
    private static var ownBroadcasts: Set<String> {
        interfaceHosts { interface in
            let canBroadcast = interface.ifa_flags & UInt32(IFF_BROADCAST) != 0
            return canBroadcast ? interface.ifa_ifu.ifu_broadaddr : nil
        }
    }

    /// Returns the numeric form of an address of each interface.
    private static func interfaceHosts(
        _ select: (ifaddrs) -> UnsafeMutablePointer<sockaddr>?
    ) -> Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var hosts: Set<String> = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = select(interface) else { continue }
            let size: Int
            switch CInt(address.pointee.sa_family) {
            case AF_INET: size = MemoryLayout<sockaddr_in>.size
            case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            if let host = numericHost(address, socklen_t(size)) { hosts.insert(host) }
        }
        return hosts
    }

    /// Returns an address as text, without its port; `nil` if that fails.
    ///
    /// The corresponding C function is `getnameinfo`.
    private static func numericHost(
        _ address: UnsafePointer<sockaddr>, _ size: socklen_t
    ) -> String? {
        var host = [CChar](repeating: 0, count: 256)
        let status = getnameinfo(
            address, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        return status == 0 ? String(terminated: host) : nil
    }

    /// Returns a host and a port as text, with brackets around an IPv6 address: `localhost:2947`,
    /// `[::1]:2947`.
    package static func text(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The address as text: a numeric host and its port, or a path; `nil` for a Unix socket without
    /// a path.
    package var text: String? {
        guard let port else {
            let path = bytes.dropFirst(2).prefix { $0 != 0 }
            return path.isEmpty ? nil : FileName.string(path)
        }
        guard let host else { return nil }
        return Self.text(host, port)
    }

    /// The numeric host; `nil` for a Unix socket.
    package var host: String? {
        family == AF_UNIX ? nil : use({ Self.numericHost($0, $1) }) ?? nil
    }

    /// Whether datagrams to the address can reach this machine: it is a loopback, unspecified,
    /// multicast or broadcast address, or an address of this machine.
    package var reachesThisMachine: Bool {
        guard !isLocal, !isMulticast, let host else { return true }
        // The network of a broadcast address may not have been configured yet.
        if ["0.0.0.0", "::"].contains(host) || family == AF_INET && host.hasSuffix(".255") {
            return true
        }
        return Self.ownHosts.contains(host) || Self.ownBroadcasts.contains(host)
    }

    /// The port; `nil` for a Unix socket.
    package var port: UInt16? {
        // IPv4 and IPv6 addresses both have the port after the family, high byte first.
        guard family != AF_UNIX, bytes.count >= 4 else { return nil }
        return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }

    /// Whether only programs on this machine can connect to the address: a Unix socket, 127.0.0.0/8
    /// or ::1.
    package var isLocal: Bool {
        switch family {
        case AF_UNIX: true
        case AF_INET: bytes.count >= 8 && bytes[4] == 127
        case AF_INET6: bytes.count >= 24 && bytes[8..<24] == [UInt8](repeating: 0, count: 15) + [1]
        default: false
        }
    }

    /// Returns the address with another port; a Unix address is returned unchanged.
    package func with(port: UInt16) -> SocketAddress {
        var copy = self
        if self.port != nil {
            (copy.bytes[2], copy.bytes[3]) = (UInt8(port >> 8), UInt8(port & 0xFF))
        }
        return copy
    }

    /// Creates a non-blocking socket of the address's family, which is not bound yet. Returns `nil`
    /// and sets `errno` on failure.
    ///
    /// The corresponding C function is `socket`.
    package func socket(
        _ type: __socket_type, poller: Poller = .shared
    ) -> Descriptor? {
        let fd = socketNumber(type)
        return fd >= 0 ? Descriptor(fd, poller: poller) : nil
    }

    /// Creates a socket like `socket(_:poller:)`. Returns its number, which the caller must close;
    /// -1 on failure.
    package func socketNumber(_ type: __socket_type) -> CInt {
        let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        return Glibc.socket(family, CInt(type.rawValue) | flags, 0)
    }

    /// Calls `body` with the address as arguments for a C function such as `bind` or `connect`.
    /// Returns the result of `body`.
    package func use<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                address.baseAddress.map { body($0, socklen_t(bytes.count)) }
            }
        }
    }

    /// Whether the address is a multicast group: 224.0.0.0 to 239.255.255.255, or ff00::/8.
    package var isMulticast: Bool {
        // The address is after the family and the port (IPv4), or after these and the flow label
        // (IPv6).
        switch family {
        case AF_INET: bytes.count >= 8 && (224...239).contains(bytes[4])
        case AF_INET6: bytes.count >= 24 && bytes[8] == 0xFF
        default: false
        }
    }

    /// Makes the socket `fd` join this multicast group on all interfaces. Returns 0, or an `errno`
    /// if joining failed on all of them.
    package func join(_ fd: CInt) -> CInt {
        var reason = join(fd, interface: 0)
        guard let interfaces = if_nameindex() else { return reason }
        defer { if_freenameindex(interfaces) }
        var next = interfaces
        while next.pointee.if_index != 0 {
            if join(fd, interface: next.pointee.if_index) == 0 { reason = 0 }
            next += 1
        }
        return reason
    }

    /// Joins the group on one interface, given by its index; 0 selects the system's default.
    /// Returns 0 or the `errno`.
    private func join(_ fd: CInt, interface: CUnsignedInt) -> CInt {
        let status: CInt
        if family == AF_INET {
            var request = ip_mreqn()
            withUnsafeMutableBytes(of: &request.imr_multiaddr) { $0.copyBytes(from: bytes[4..<8]) }
            request.imr_ifindex = CInt(bitPattern: interface)
            let size = socklen_t(MemoryLayout<ip_mreqn>.size)
            status = setsockopt(fd, CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request, size)
        } else {
            var request = ipv6_mreq()
            withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) {
                $0.copyBytes(from: bytes[8..<24])
            }
            request.ipv6mr_interface = interface
            let size = socklen_t(MemoryLayout<ipv6_mreq>.size)
            status = setsockopt(fd, CInt(IPPROTO_IPV6), IPV6_JOIN_GROUP, &request, size)
        }
        // `EADDRINUSE`: the group has already been joined on this interface, because it is the
        // system's default.
        return status == 0 || errno == EADDRINUSE ? 0 : errno
    }
}

extension String {
    /// Decodes the text that C code has written to a buffer, up to its terminating zero byte.
    init(terminated buffer: [CChar]) {
        self.init(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Resolves a host name on a separate thread, because a name server may take half a minute to
/// answer.
package struct HostLookup: Sendable {
    private let host: String?
    private let port: UInt16
    /// The address for error messages, such as `tcp://localhost:2947`.
    private let name: String

    /// Creates a lookup of a host name or numeric address; a `host` of `nil` means this machine.
    /// `name` is the address for error messages.
    package init(host: String?, port: UInt16, name: String) {
        self.host = host
        self.port = port
        self.name = name
    }

    /// Returns the host's addresses for connecting or, if `passive` is `true`, for listening.
    ///
    /// Throws an ``IOError`` with `errno` 0 if there are no addresses. Its `reason` is `nil` if the
    /// name does not exist. Throws one with `ECANCELED` as soon as the task is cancelled.
    package func addresses(passive: Bool) async throws(IOError) -> [SocketAddress] {
        // A numeric address needs no name server.
        let flags = passive ? AI_PASSIVE : 0
        let numeric = try? SocketAddress.addresses(
            of: host, port: port, flags: AI_NUMERICHOST | flags)
        if let numeric, !numeric.isEmpty { return numeric }
        let (answers, continuation) = AsyncStream.makeStream(of: Found.self)
        let look: @Sendable () -> Void = {
            do throws(SocketAddress.LookupFailure) {
                let found = try SocketAddress.addresses(of: host, port: port, flags: flags)
                continuation.yield(Found(addresses: found))
            } catch {
                continuation.yield(Found(failure: error.knownReason))
            }
        }
        if DetachedThread.start("gps-lookup", look) != 0 { look() }
        // The stream also ends when the task is cancelled.
        var iterator = answers.makeAsyncIterator()
        let found = await iterator.next() ?? Found()
        guard !Task.isCancelled else { throw IOError(.lookUp, name, errno: ECANCELED) }
        guard !found.addresses.isEmpty else {
            throw IOError(.lookUp, name, errno: 0, reason: found.failure)
        }
        return found.addresses
    }

    /// Throws the ``IOError`` of `addresses(passive:)` if the host has no addresses. Blocks until a
    /// name server answers.
    package func requireAddresses(passive: Bool) throws(IOError) {
        let reason: String?
        do throws(SocketAddress.LookupFailure) {
            let flags = passive ? AI_PASSIVE : 0
            guard try SocketAddress.addresses(of: host, port: port, flags: flags).isEmpty else {
                return
            }
            reason = nil
        } catch {
            reason = error.knownReason
        }
        throw IOError(.lookUp, name, errno: 0, reason: reason)
    }

    /// The result of a lookup. If there are no addresses, `failure` is the reason, or `nil` if the
    /// name does not exist.
    private struct Found {
        var addresses: [SocketAddress] = []
        var failure: String?
    }
}

/// An address on the command line in the form `[HOST:]PORT`. Brackets around an IPv6 address are
/// removed.
package struct HostPort {
    /// The host; `nil` if it was omitted.
    package let host: String?
    /// The port number, 0 to 65535.
    package let port: UInt16

    /// Parses `[HOST:]PORT`, or `HOST:PORT` if `needsHost` is `true`. Throws a `UsageError` for
    /// other text.
    ///
    /// `scheme` is a prefix such as `tcp://`, used only in error messages.
    package init(_ text: String, needsHost: Bool = false, scheme: String = "") throws {
        let hasHost = needsHost || text.contains(":")
        let parts = hasHost ? Self.split(text) : nil
        let digits = hasHost ? parts?.port : text[...]
        guard let digits, !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
            let shape = needsHost ? "HOST:PORT" : "[HOST:]PORT"
            throw UsageError(
                "not an address: '\(scheme)\(text)' (expected \(scheme)\(shape), such as "
                    + "\(scheme)localhost:10110)")
        }
        port = try ArgumentForm.whole("PORT", 0...UInt16.max).parse(String(digits), "port")
        host = parts.map { String($0.host) }
    }

    /// Splits `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT` into the host, without brackets,
    /// and the text of the port. Returns `nil` if the host is empty or contains other brackets.
    package static func split(_ text: some StringProtocol) -> (host: Substring, port: Substring?)? {
        var host = Substring(text)
        var port: Substring?
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { "[]".contains($0) }) else { return nil }
        return (host, port)
    }
}
