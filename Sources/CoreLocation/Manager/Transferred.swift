// SPDX-License-Identifier: MIT

// Safety: the values are objects and closures of the program. This module stores them under a lock,
// uses them only on the queue on which the program expects calls, and returns them to the program.
/// A value that is not `Sendable` and is passed to the queue on which the program is called.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
