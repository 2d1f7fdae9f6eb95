// SPDX-License-Identifier: MIT

// Safety: the values are objects and closures of the program. This module stores them under a lock,
// uses them only on the queue on which the program expects calls, and returns them to the program.
/// Passes a value that is not `Sendable` to the queue on which the program's delegate or closure is
/// called.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
