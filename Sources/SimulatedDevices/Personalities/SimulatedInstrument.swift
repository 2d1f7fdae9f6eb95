// SPDX-License-Identifier: MIT

/// An instrument whose sentences are sent on the same serial line as a simulated receiver's
/// sentences.
public enum SimulatedInstrument: String, CaseIterable, Hashable, Sendable {
    /// A compass: HDG.
    case compass
    /// A wind vane: MWV (apparent) and MWD.
    case wind
    /// A depth sounder with a thermometer: DPT and MTW.
    case depth
}
