// SPDX-License-Identifier: MIT
public import Delegation
public import FoundationEssentials
public import GPSReceivers

/// An error that explains why a location is unavailable.
///
/// The CoreLocation counterpart is `CLError`.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes that also exist in CoreLocation have the same numbers. The others
    /// are 100 and above.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
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
        /// The device is missing, lost or in use, or sends data of an unknown protocol. The manager
        /// keeps trying.
        public static let deviceUnavailable = Code(rawValue: 100)
        /// A request reached its timeout before a suitable location was received.
        public static let timedOut = Code(rawValue: 101)
        /// The source has ended, or cannot be opened.
        public static let ended = Code(rawValue: 102)

        /// The code's name, such as `denied`; a number for a code that has none.
        public var description: String {
            switch self {
            case .locationUnknown: "locationUnknown"
            case .denied: "denied"
            case .deviceUnavailable: "deviceUnavailable"
            case .timedOut: "timedOut"
            case .ended: "ended"
            default: "\(rawValue)"
            }
        }
    }

    /// The kind of failure.
    public let code: Code

    /// The problem of the device, such as `.silent`; `nil` if the device works but has no fix.
    public let cause: DeviceError?

    /// Creates an error with a code and the device's problem.
    public init(_ code: Code, cause: DeviceError? = nil) {
        self.code = code
        self.cause = cause
    }

    /// Creates the error for a device that cannot be read now, but that the manager waits for.
    init(of cause: DeviceError) {
        self.init(cause.code == .permissionDenied ? .denied : .deviceUnavailable, cause: cause)
    }

    /// Creates the error for a source that has ended with the error `cause`.
    init(ofEnd cause: DeviceError) {
        self.init(cause.code == .permissionDenied ? .denied : .ended, cause: cause)
    }

    /// The name of the code, and the failure with advice.
    ///
    ///     locationUnknown: The receiver has no fix: give its antenna a view of the sky.
    public var description: String { "\(code): \(message)" }

    /// The failure, with advice, as `localizedDescription` returns it.
    package var message: String {
        switch (code, cause) {
        case (.timedOut, let cause?): "No location was received in time. \(cause)"
        case (.timedOut, nil):
            "No fix was received in time: give the antenna a view of the sky, or wait longer."
        case (_, let cause?): cause.description
        default: "The receiver has no fix: give its antenna a view of the sky."
        }
    }

    /// Hashes the code, because a `DeviceError` has no hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

/// The codes as members of the error, so that `catch LocationError.denied` compiles.
extension LocationError {
    /// See ``Code/locationUnknown``.
    public static var locationUnknown: Code { .locationUnknown }
    /// See ``Code/denied``.
    public static var denied: Code { .denied }
    /// See ``Code/deviceUnavailable``.
    public static var deviceUnavailable: Code { .deviceUnavailable }
    /// See ``Code/timedOut``.
    public static var timedOut: Code { .timedOut }
    /// See ``Code/ended``.
    public static var ended: Code { .ended }
}

extension LocationError.Code {
    /// Returns whether `error` is a `LocationError` with this code. `catch LocationError.denied`
    /// calls it.
    public static func ~= (code: LocationError.Code, error: any Error) -> Bool {
        (error as? LocationError)?.code == code
    }
}

// With these conformances, `localizedDescription` explains the failure. Foundation's default is
// only a number.

extension LocationError: LocalizedError {
    /// The failure, with advice, without the name of the code.
    public var errorDescription: String? { message }
}

extension DeviceError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension PromiseError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension DelegationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
