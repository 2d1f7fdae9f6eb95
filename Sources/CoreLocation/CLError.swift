// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers

/// The domain of location errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// The key of an alternative region to monitor. Never used on Linux.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

// Safety: the dictionary never changes.
/// The reason why a location, heading, region or placemark is unavailable.
///
/// `userInfo[NSUnderlyingErrorKey]` has the underlying `LocationError` of `GPSBridge`, and
/// `localizedDescription` its description.
public struct CLError: CustomNSError, Hashable, @unchecked Sendable {
    /// The kind of failure.
    public enum Code: Int, Sendable {
        /// No location is available at the moment; updates continue.
        case locationUnknown = 0
        /// The program may not open the receiver.
        case denied = 1
        /// Never on Linux.
        case network = 2
        /// A heading is unavailable.
        case headingFailure = 3
        /// Never on Linux.
        case regionMonitoringDenied = 4
        /// The region cannot be monitored.
        case regionMonitoringFailure = 5
        /// Never on Linux.
        case regionMonitoringSetupDelayed = 6
        /// Never on Linux.
        case regionMonitoringResponseDelayed = 7
        /// Geocoding failed; Linux has no geocoder.
        case geocodeFoundNoResult = 8
        /// Never on Linux.
        case geocodeFoundPartialResult = 9
        /// The request was cancelled.
        case geocodeCanceled = 10
        /// Deferred updates failed: they are not supported on Linux.
        case deferredFailed = 11
        /// Never on Linux.
        case deferredNotUpdatingLocation = 12
        /// Never on Linux.
        case deferredAccuracyTooLow = 13
        /// Never on Linux.
        case deferredDistanceFiltered = 14
        /// Never on Linux.
        case deferredCanceled = 15
        /// Ranging of beacons is not supported on Linux.
        case rangingUnavailable = 16
        /// Never on Linux.
        case rangingFailure = 17
        /// Never on Linux.
        case promptDeclined = 18
        /// Never on Linux.
        case historicalLocationError = 19
    }

    /// The kind of failure.
    public let code: Code
    /// Additional information, such as the underlying error.
    public let userInfo: [String: Any]

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Creates an error from an `NSError` that was converted from one.
    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .locationUnknown, userInfo: error.userInfo)
    }

    /// The error as an `NSError`.
    public var _nsError: NSError {
        NSError(domain: kCLErrorDomain, code: errorCode, userInfo: userInfo)
    }

    /// Creates the error of a manager from the underlying one.
    init(_ error: LocationError) {
        self.init(
            error.code == .denied ? .denied : .locationUnknown,
            userInfo: [
                NSLocalizedDescriptionKey: error.description, NSUnderlyingErrorKey: error,
            ])
    }

    /// The same as `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }
    /// The code's raw value.
    public var errorCode: Int { code.rawValue }
    /// The same as `userInfo`.
    public var errorUserInfo: [String: Any] { userInfo }

    /// The description of the underlying error, or else of the code.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String
            ?? "The operation couldn’t be completed. (\(kCLErrorDomain) error \(errorCode).)"
    }

    /// The alternative region to monitor; `nil` unless a program has set it.
    public var alternateRegion: CLRegion? {
        userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
    }

    /// Compares the codes and the descriptions.
    public static func == (a: CLError, b: CLError) -> Bool {
        a.code == b.code && a.localizedDescription == b.localizedDescription
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension CLError.Code {
    /// Whether an error is a location error with this code, for `catch CLError.denied`.
    public static func ~= (code: CLError.Code, error: any Error) -> Bool {
        (error as? CLError)?.code == code
    }
}
