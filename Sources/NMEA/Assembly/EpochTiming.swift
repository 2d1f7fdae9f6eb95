// SPDX-License-Identifier: MIT
public import GNSS

/// How a sentence is tied to an instant.
public enum EpochTiming: Hashable, Sendable {
    /// It carries the time of the epoch and opens a new one when that differs: RMC, GGA, GLL…
    /// Its time may be missing.
    case opens(TimeOfDay?)
    /// It names the fix it speaks of and is ignored where that is another: GST, GRS.
    case attaches(TimeOfDay?)
    /// It has no time and belongs to the current epoch: GSA, VTG…
    case untimed
}
