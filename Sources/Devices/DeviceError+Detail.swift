// SPDX-License-Identifier: MIT

extension DeviceError {
    /// What the system tells about a device that cannot be opened.
    public enum Detail: Equatable, Sendable {
        /// The program that has it open.
        case heldBy(program: String, processID: Int)
        /// The group that may open it.
        case group(String)
        /// The user is in that group, but logged in before joining it.
        case groupAfterLogin(String)
        /// The user is in the group that may open it, and yet something forbids it.
        case forbidden(group: String)
        /// Ttys that may have been a receiver's, and from which nothing was understood.
        case notUnderstood([String])
    }
}
