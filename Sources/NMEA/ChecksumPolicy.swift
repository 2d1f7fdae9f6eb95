// SPDX-License-Identifier: MIT

/// Which sentences are let through by their checksum.
public enum ChecksumPolicy: CaseIterable, Hashable, Sendable {
    /// It must be there and right. The default.
    case require
    /// It may be missing, but if it is there it must be right.
    case acceptMissing
    /// It is not looked at.
    case ignore
}
