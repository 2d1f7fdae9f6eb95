// SPDX-License-Identifier: MIT
public import GPSReceivers

/// The reason why a location is unavailable.
///
/// The CoreLocation counterpart is `CLError`.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; CoreLocation's numbers where it has them, from 100 on where not.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's number.
        public let rawValue: Int

        /// Creates a code from any number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The receiver has no fix now, or is silent; updates continue, and resume with the next fix.
        public static let locationUnknown = Code(rawValue: 0)
        /// The receiver may not be opened.
        public static let denied = Code(rawValue: 1)
        /// The device is missing, lost, in use or sends no known protocol; the manager keeps trying.
        public static let deviceUnavailable = Code(rawValue: 100)
        /// A request's time was up before a location came that was good enough.
        public static let timedOut = Code(rawValue: 101)
        /// The source has come to its end, or can never be opened.
        public static let ended = Code(rawValue: 102)
    }

    /// The kind of failure.
    public let code: Code

    /// The problem of the device; `nil` if it works and has no fix.
    public let cause: DeviceError?

    /// Creates an error.
    public init(_ code: Code, cause: DeviceError? = nil) {
        self.code = code
        self.cause = cause
    }

    /// The error of a device that the manager waits for.
    init(of cause: DeviceError) {
        self.init(cause.code == .permissionDenied ? .denied : .deviceUnavailable, cause: cause)
    }

    /// The error of a source that will give nothing more.
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

    /// Same code and same cause.
    public static func == (a: LocationError, b: LocationError) -> Bool {
        a.code == b.code && a.cause == b.cause
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
