// SPDX-License-Identifier: MIT
public import GPSReceivers

/// The reason why a location is unavailable.
///
/// The CoreLocation counterpart is `CLError`.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes of CoreLocation have its numbers; others begin at 100.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's number.
        public let rawValue: Int

        /// Creates a code from any number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The receiver has no fix or is silent. Updates continue and resume with the next fix.
        public static let locationUnknown = Code(rawValue: 0)
        /// The program may not open the receiver.
        public static let denied = Code(rawValue: 1)
        /// The device is missing, lost, in use, or sends no known protocol. The manager keeps
        /// trying.
        public static let deviceUnavailable = Code(rawValue: 100)
        /// A request timed out before a sufficiently accurate location was received.
        public static let timedOut = Code(rawValue: 101)
        /// The source has ended or can never be opened.
        public static let ended = Code(rawValue: 102)
    }

    /// The kind of failure.
    public let code: Code

    /// The problem of the device; `nil` if it works but has no fix.
    public let cause: DeviceError?

    /// Creates an error.
    public init(_ code: Code, cause: DeviceError? = nil) {
        self.code = code
        self.cause = cause
    }

    /// Creates the error for a device that the manager waits for.
    init(of cause: DeviceError) {
        self.init(cause.code == .permissionDenied ? .denied : .deviceUnavailable, cause: cause)
    }

    /// Creates the error for a source that will produce no more data.
    init(ofEnd cause: DeviceError) {
        self.init(cause.code == .permissionDenied ? .denied : .ended, cause: cause)
    }

    /// One sentence: what happened and what to do next.
    public var description: String {
        switch (code, cause) {
        case (.timedOut, let cause?): "No location came in time. \(cause)"
        case (.timedOut, nil):
            "No fix came in time: give the antenna a view of the sky, or wait longer."
        case (_, let cause?): cause.description
        default: "The receiver has no fix: give its antenna a view of the sky."
        }
    }

    /// Compares codes and causes.
    public static func == (a: LocationError, b: LocationError) -> Bool {
        a.code == b.code && a.cause == b.cause
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
