// SPDX-License-Identifier: MIT
public import Delegation
public import FoundationEssentials
public import GPSReceivers

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
