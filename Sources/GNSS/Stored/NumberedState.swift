// SPDX-License-Identifier: MIT

/// A state that is a number in the columns of a fleet's messages and tables.
package protocol NumberedState: CaseIterable {
    /// The number; it never changes, because tables contain it.
    var number: Int { get }
}

extension NumberedState {
    /// Creates a state from its number. Returns `nil` for an unknown number.
    package init?(number: Double) {
        guard let state = Self.allCases.first(where: { Double($0.number) == number }) else {
            return nil
        }
        self = state
    }
}

extension Integrity.State: NumberedState {}
extension Vote.State: NumberedState {}
extension AnchorState.Condition: NumberedState {}
