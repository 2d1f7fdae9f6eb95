// SPDX-License-Identifier: MIT
import Glibc

/// An error of a system call.
public struct IOError: Error, Equatable, Sendable {
    /// The operation that failed.
    public enum Operation: Sendable {
        /// Opening or examining a file.
        case open
        /// Creating a pseudo terminal.
        case makeTerminal
        /// Creating a link; with `EEXIST`, another file has its name.
        case link
        /// Resolving a host name; without an `errno` it has no addresses.
        case lookUp
        /// Starting a program.
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
    public let operation: Operation
    /// The path, the address, or the kind of object.
    public let name: String
    /// The `errno`; 0 if there is none.
    public let errno: CInt

    package init(_ operation: Operation, _ name: String, errno: CInt = Glibc.errno) {
        self.operation = operation
        self.name = name
        self.errno = errno
    }
}
