// SPDX-License-Identifier: MIT
public import Devices

/// Why there is no location.
///
/// The CoreLocation counterpart is `CLError`.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; numbers as in CoreLocation.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// CoreLocation's number.
        public let rawValue: Int

        /// Takes any number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// There is no fix now; updates go on, and come when there is one.
        public static let locationUnknown = Code(rawValue: 0)
        /// The receiver may not be opened.
        public static let denied = Code(rawValue: 1)
    }

    /// The kind of failure.
    public let code: Code

    /// What is the matter with the device; `nil` where it works and has no fix.
    public let cause: DeviceError?

    /// Makes an error.
    public init(_ code: Code, cause: DeviceError? = nil) {
        self.code = code
        self.cause = cause
    }

    /// One sentence: what happened and what to do next.
    public var description: String {
        if let cause { return cause.description }
        return "the receiver has no fix: give its antenna a view of the sky"
    }

    /// Same code and same device's trouble.
    public static func == (a: LocationError, b: LocationError) -> Bool {
        a.code == b.code && a.cause == b.cause
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
