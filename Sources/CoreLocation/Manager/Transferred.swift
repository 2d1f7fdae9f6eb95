// SPDX-License-Identifier: MIT

// Safety: a program that has a manager or a handler called on a queue shares the values that it
// passes with that queue; this module only passes them on.
/// A value passed to the queue on which the program is called.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
