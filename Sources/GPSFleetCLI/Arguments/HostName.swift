// SPDX-License-Identifier: MIT
import Glibc

/// The name of this machine.
enum HostName {
    /// The host name; empty if it is not known.
    ///
    /// The corresponding C function is `gethostname`.
    static var own: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
