// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers

/// The domain of location errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// The key of the region that could be monitored instead. Never on Linux.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

// Safety: the dictionary never changes.
/// The reason why a location, heading, region or placemark is unavailable.
///
/// `userInfo[NSUnderlyingErrorKey]` has the problem of the device, a `LocationError` of `GPSBridge`;
/// `localizedDescription` describes it.
public struct CLError: CustomNSError, Hashable, @unchecked Sendable {
    /// The kind of failure.
    public enum Code: Int, Sendable {
        /// Locations are unavailable for now; updates continue.
        case locationUnknown = 0
        /// The receiver may not be opened.
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
        /// Geocoding failed: Linux has no geocoder.
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
    /// Details.
    public let userInfo: [String: Any]

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Creates an error from an `NSError` that `error as NSError` has made of one.
    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .locationUnknown, userInfo: error.userInfo)
    }

    /// The same as an `NSError`.
    public var _nsError: NSError {
        NSError(domain: kCLErrorDomain, code: errorCode, userInfo: userInfo)
    }

    /// The error of a manager.
    init(_ error: LocationError) {
        self.init(
            error.code == .denied ? .denied : .locationUnknown,
            userInfo: [
                NSLocalizedDescriptionKey: error.description, NSUnderlyingErrorKey: error,
            ])
    }

    /// `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// `userInfo`.
    public var errorUserInfo: [String: Any] { userInfo }

    /// In words.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String
            ?? "The operation couldn’t be completed. (\(kCLErrorDomain) error \(errorCode).)"
    }

    /// The region that could be monitored instead: always `nil`, unless a program has set it.
    public var alternateRegion: CLRegion? {
        userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
    }

    /// Whether the codes and the descriptions are the same.
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
