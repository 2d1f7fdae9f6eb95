// SPDX-License-Identifier: MIT
public import Delegation
public import FoundationEssentials
public import GPSReceivers

// With these conformances, `localizedDescription` returns the description. Foundation's default is
// only a number.

extension LocationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
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
