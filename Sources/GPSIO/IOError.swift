// SPDX-License-Identifier: MIT
import Glibc

/// The failure of a system call, and its reason.
public struct IOError: Error, Equatable, Sendable {
    /// The kinds of calls.
    public enum Operation: Sendable {
        /// To open what is at a path, or to look at it.
        case open
        /// To make a pseudo terminal.
        case makeTerminal
        /// To make a link, whose name may be another file's (`EEXIST`).
        case link
        /// To find the addresses of a host; without an `errno` there are none.
        case lookUp
        /// To start a program.
        case start
        /// To listen at an address.
        case listen
        /// To accept connections.
        case accept
        /// To write.
        case write
        /// To make an object of the kernel's for this process.
        case create
    }

    /// The call that failed.
    public let operation: Operation
    /// The path, the address, or the object's kind.
    public let name: String
    /// The `errno`; 0 where there is none.
    public let errno: CInt

    package init(_ operation: Operation, _ name: String, errno: CInt = Glibc.errno) {
        self.operation = operation
        self.name = name
        self.errno = errno
    }
}
