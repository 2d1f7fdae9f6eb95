// SPDX-License-Identifier: MIT

// Safety: CoreLocation calls the program on a queue that the program has selected. Values that are
// not `Sendable` are only passed to that queue; this module does not use them.
/// A value that is not `Sendable` and is passed to the queue on which the program is called.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
