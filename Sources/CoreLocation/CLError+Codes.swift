// SPDX-License-Identifier: MIT

/// The codes under the error's own name, for `catch CLError.denied` and `CLError(.denied)`.
extension CLError {
    /// See `Code`.
    public static var locationUnknown: Code { .locationUnknown }
    /// See `Code`.
    public static var denied: Code { .denied }
    /// See `Code`.
    public static var network: Code { .network }
    /// See `Code`.
    public static var headingFailure: Code { .headingFailure }
    /// See `Code`.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// See `Code`.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// See `Code`.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// See `Code`.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    /// See `Code`.
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    /// See `Code`.
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    /// See `Code`.
    public static var geocodeCanceled: Code { .geocodeCanceled }
    /// See `Code`.
    public static var deferredFailed: Code { .deferredFailed }
    /// See `Code`.
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    /// See `Code`.
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    /// See `Code`.
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    /// See `Code`.
    public static var deferredCanceled: Code { .deferredCanceled }
    /// See `Code`.
    public static var rangingUnavailable: Code { .rangingUnavailable }
    /// See `Code`.
    public static var rangingFailure: Code { .rangingFailure }
    /// See `Code`.
    public static var promptDeclined: Code { .promptDeclined }
    /// See `Code`.
    public static var historicalLocationError: Code { .historicalLocationError }
}
