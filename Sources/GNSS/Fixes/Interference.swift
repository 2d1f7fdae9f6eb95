// SPDX-License-Identifier: MIT

/// The state of a receiver's jamming detector.
public enum JammingState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No significant interference.
    case none
    /// There is interference, but the receiver has a fix.
    case warning
    /// There is interference, and the receiver has no fix because of it.
    case critical
}

/// The state of a receiver's spoofing detector.
///
/// Detectors notice the change from true signals to false ones. `none` means that none is noticed
/// now, not that the signals are true.
public enum SpoofingState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No spoofing is noticed in this epoch.
    case none
    /// Spoofing is indicated.
    case indicated
    /// Several detectors indicate spoofing.
    case affirmed
}

/// The source of the corrections that a solution uses.
public enum CorrectionSource: String, CaseIterable, Hashable, Sendable, Codable {
    /// Satellites of WAAS, EGNOS and other augmentation systems.
    case sbas
    /// RTCM messages, from a base station or a network.
    case rtcm
    /// SPARTN messages.
    case spartn
    /// QZSS: sub-metre augmentation.
    case slas
    /// QZSS: centimetre augmentation.
    case clas
    /// BeiDou.
    case beiDou
    /// Galileo's high-accuracy service.
    case has
}
