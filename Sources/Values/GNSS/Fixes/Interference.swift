// SPDX-License-Identifier: MIT

/// The state of a receiver's jamming detector.
public enum JammingState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No significant interference.
    case none
    /// Interference is present, but the receiver has a fix.
    case warning
    /// Interference is present and prevents a fix.
    case critical
}

/// The state of a receiver's spoofing detector.
///
/// Detectors notice the change from authentic signals to false ones. `none` means that no spoofing
/// is detected now. It does not mean that the signals are authentic.
public enum SpoofingState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No spoofing is detected in this epoch.
    case none
    /// One detector indicates spoofing.
    case indicated
    /// Several detectors indicate spoofing.
    case affirmed
}

/// The source of the corrections that a solution uses.
public enum CorrectionSource: String, CaseIterable, Hashable, Sendable, Codable {
    /// WAAS, EGNOS and other satellite-based augmentation systems.
    case sbas
    /// RTCM messages, from a base station or a network.
    case rtcm
    /// SPARTN messages.
    case spartn
    /// The sub-metre augmentation service of QZSS.
    case slas
    /// The centimetre augmentation service of QZSS.
    case clas
    /// Corrections from BeiDou.
    case beiDou
    /// The high-accuracy service of Galileo.
    case has
}
