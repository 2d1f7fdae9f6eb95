// SPDX-License-Identifier: MIT
package import Testing

extension TimeLimitTrait.Duration {
    /// The time limit of all tests. It ends tests that hang, and is long enough for busy machines
    /// and repeated tests.
    package static var generous: Self { .minutes(9 + Repeated.count) }
}
