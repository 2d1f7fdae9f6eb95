// SPDX-License-Identifier: MIT

// Safety: a program that has a manager or a handler called on a queue shares with that queue whatever
// it has given to it; the module itself only passes it on.
/// A program's value on its way to the queue on which the program is called.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
