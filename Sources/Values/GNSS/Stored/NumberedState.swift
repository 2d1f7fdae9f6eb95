// SPDX-License-Identifier: MIT

/// A state that `gpsbridge-fleet` transmits and stores as a number: its index in the list of
/// states.
package protocol NumberedState: CaseIterable, Equatable where AllCases == [Self] {}

extension NumberedState {
    /// The number of the state, from 0.
    package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Creates a state from its number. Returns `nil` for an unknown number.
    package init?(number: Double) {
        guard let index = Int(exactly: number), Self.allCases.indices.contains(index) else {
            return nil
        }
        self = Self.allCases[index]
    }
}

extension Integrity.State: NumberedState {}
extension Vote.State: NumberedState {}
extension AnchorState.Condition: NumberedState {}
