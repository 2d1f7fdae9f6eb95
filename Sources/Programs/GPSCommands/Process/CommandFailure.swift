// SPDX-License-Identifier: MIT
import GPSIO

/// An error that ends a command. The program prints it on one line and exits with status 1.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }

    /// Creates the error for an output that cannot be written. The description contains the reason
    /// and advice.
    package init(writing name: String, errno: CInt) {
        self.init("cannot write to \(name): \(IOError.reason(errno, writing: name))")
    }
}
