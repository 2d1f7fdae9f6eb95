// SPDX-License-Identifier: MIT
import Glibc

/// An error of a system call.
package struct IOError: Error, Equatable, Sendable {
    /// The operation that failed.
    package enum Operation: Sendable {
        /// Opening or examining a file.
        case open
        /// Creating a pseudo terminal.
        case makeTerminal
        /// Creating a symbolic link. `EEXIST` means that another file exists at its path.
        case link
        /// Resolving a host name. If `errno` is 0, the name has no addresses.
        case lookUp
        /// Starting a child process.
        case start
        /// Listening on an address.
        case listen
        /// Accepting connections.
        case accept
        /// Writing to a file or a descriptor.
        case write
        /// Creating a kernel object, such as an eventfd, for this process.
        case create
    }

    /// The failed operation.
    package let operation: Operation
    /// The path, the address, or the kind of kernel object, such as `eventfd`.
    package let name: String
    /// The `errno`; 0 if there is none.
    package let errno: CInt
    /// For `lookUp`, the reason why the host name could not be resolved; `nil` if the name does not
    /// exist, and for all other operations.
    package let reason: String?

    package init(
        _ operation: Operation, _ name: String, errno: CInt = Glibc.errno, reason: String? = nil
    ) {
        self.operation = operation
        self.name = name
        self.errno = errno
        self.reason = reason
    }

    /// Returns the description of an `errno` from creating or writing the file at `path`, with
    /// advice for the user.
    package static func reason(_ error: CInt, writing path: String) -> String {
        let advice =
            switch error {
            case ENOENT where path.contains("/"): "; create its folder first"
            case EACCES, EPERM, EROFS: "; choose a folder that you may write to"
            case ENOSPC, EDQUOT: "; free some space, or choose another disk"
            default: ""
            }
        return String(cString: strerror(error)) + advice
    }

    /// Returns the description of an `errno` from listening on an address with a port, with advice
    /// for the user.
    package static func reasonOfListening(_ error: CInt) -> String {
        switch error {
        case EACCES: "Permission denied; give a port of 1024 or above"
        case EADDRINUSE:
            "another program is already listening on this address: stop it, or give another port"
        case EADDRNOTAVAIL:
            "this machine does not have this address: `ip address` lists its addresses"
        default: String(cString: strerror(error))
        }
    }
}
