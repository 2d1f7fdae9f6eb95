// SPDX-License-Identifier: MIT
import Glibc

/// Why a way cannot be had, or goes on no longer.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, as in `cannot listen on tcp://localhost:2947`.
    public let what: String
    /// The `errno` behind it.
    public let errno: CInt
    /// Why, where that is no `errno`'s text.
    private let reason: String?

    init(_ what: String, errno: CInt, _ reason: String? = nil) {
        self.what = what
        self.errno = errno
        self.reason = reason
    }

    /// What failed, and why.
    public var description: String { "\(what): \(reason ?? String(cString: strerror(errno)))" }
}
