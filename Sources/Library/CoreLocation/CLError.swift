// SPDX-License-Identifier: MIT
import GPSBridge

/// The `NSError` domain of every `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// The `userInfo` key for an alternative region to monitor. gpsbridge never sets it.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

// Safety: the dictionary never changes. Its values are those of the program that creates the error
// and, as with `NSError`, are only read afterwards.
/// The reason why a location, heading, region or placemark is unavailable.
///
/// If a receiver's failure caused the error, `userInfo[NSUnderlyingErrorKey]` contains the
/// `LocationError` of `GPSBridge`, and `localizedDescription` returns that of the latter.
public struct CLError: CustomNSError, Hashable, @unchecked Sendable {
    /// The kind of failure.
    public enum Code: Int, Sendable {
        /// No location is available at the moment. Running updates continue.
        case locationUnknown = 0
        /// The program may not open the receiver.
        case denied = 1
        /// Not used on Linux.
        case network = 2
        /// The receiver sent no heading within 60 s of the start of heading updates.
        case headingFailure = 3
        /// Not used on Linux.
        case regionMonitoringDenied = 4
        /// The region cannot be monitored: it is not a valid circle, or the manager already
        /// monitors 20 regions.
        case regionMonitoringFailure = 5
        /// Not used on Linux.
        case regionMonitoringSetupDelayed = 6
        /// Not used on Linux.
        case regionMonitoringResponseDelayed = 7
        /// Every geocoding request fails with this code, because Linux has no geocoder.
        case geocodeFoundNoResult = 8
        /// Not used on Linux.
        case geocodeFoundPartialResult = 9
        /// Not used on Linux.
        case geocodeCanceled = 10
        /// Every request for deferred updates fails with this code, because Linux does not support
        /// them.
        case deferredFailed = 11
        /// Not used on Linux.
        case deferredNotUpdatingLocation = 12
        /// Not used on Linux.
        case deferredAccuracyTooLow = 13
        /// Not used on Linux.
        case deferredDistanceFiltered = 14
        /// Not used on Linux.
        case deferredCanceled = 15
        /// Every attempt to range beacons fails with this code, because Linux does not support it.
        case rangingUnavailable = 16
        /// Not used on Linux.
        case rangingFailure = 17
        /// Not used on Linux.
        case promptDeclined = 18
        /// Not used on Linux.
        case historicalLocationError = 19
    }

    /// The kind of failure.
    public let code: Code
    /// Additional information, such as the underlying error.
    public let userInfo: [String: Any]

    /// Creates an error with a code and additional information.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Creates an error from an `NSError` with the domain `kCLErrorDomain`. An unknown code becomes
    /// `locationUnknown`.
    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .locationUnknown, userInfo: error.userInfo)
    }

    /// An `NSError` with the same code and `userInfo`.
    public var _nsError: NSError {
        NSError(domain: kCLErrorDomain, code: errorCode, userInfo: userInfo)
    }

    /// Creates the error that a delegate receives for a `LocationError`: `denied` or, in all other
    /// cases, `locationUnknown`.
    init(_ error: LocationError) {
        self.init(
            error.code == .denied ? .denied : .locationUnknown,
            userInfo: [
                NSLocalizedDescriptionKey: error.message, NSUnderlyingErrorKey: error,
            ])
    }

    /// The same as `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }
    /// The code's raw value.
    public var errorCode: Int { code.rawValue }
    /// The same as `userInfo`.
    public var errorUserInfo: [String: Any] { userInfo }

    /// The value of `NSLocalizedDescriptionKey` in `userInfo` or, without one, a text with the
    /// domain and the code.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String
            ?? "The operation couldn’t be completed. (\(kCLErrorDomain) error \(errorCode).)"
    }

    /// The alternative region in `userInfo`; `nil` unless the program that created the error put
    /// one there.
    public var alternateRegion: CLRegion? {
        userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
    }

    /// Returns whether two errors have the same code and the same `localizedDescription`.
    public static func == (a: CLError, b: CLError) -> Bool {
        a.code == b.code && a.localizedDescription == b.localizedDescription
    }

    /// Hashes `code` only.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension CLError.Code {
    /// Returns whether `error` is a `CLError` with this code, or an `NSError` of the same domain and
    /// code. `catch CLError.denied` calls it.
    public static func ~= (code: CLError.Code, error: any Error) -> Bool {
        (error as? CLError)?.code == code
    }
}

// Documented together.
/// The error codes as members of `CLError`, so that `catch CLError.denied` compiles. For their
/// meanings, see `Code`.
extension CLError {
    public static var locationUnknown: Code { .locationUnknown }
    public static var denied: Code { .denied }
    public static var network: Code { .network }
    public static var headingFailure: Code { .headingFailure }
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    public static var geocodeCanceled: Code { .geocodeCanceled }
    public static var deferredFailed: Code { .deferredFailed }
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    public static var deferredCanceled: Code { .deferredCanceled }
    public static var rangingUnavailable: Code { .rangingUnavailable }
    public static var rangingFailure: Code { .rangingFailure }
    public static var promptDeclined: Code { .promptDeclined }
    public static var historicalLocationError: Code { .historicalLocationError }
}

// Documented together.
/// Casts between `CLError` and `NSError`, as on Apple's systems. So `error as? CLError` and
/// `catch CLError.denied` also find an `NSError`, such as one that a mock created.
///
/// The Swift runtime calls these functions, also on Linux. `as?` fails if the error's domain is not
/// `kCLErrorDomain` or no `Code` has its code. A forced cast then stops the program.
extension CLError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout CLError?
    ) -> Bool {
        guard source.domain == kCLErrorDomain, Code(rawValue: source.code) != nil else {
            return false
        }
        result = CLError(_nsError: source)
        return true
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CLError {
        var result: CLError?
        if let source { _conditionallyBridgeFromObjectiveC(source, result: &result) }
        guard let result else { preconditionFailure("\(source as Any) is not a CLError") }
        return result
    }
}
