// SPDX-License-Identifier: MIT
package import Testing

extension TimeLimitTrait.Duration {
    /// The one limit of every test: it ends what hangs, and is never reached by what is slow because
    /// the machine is busy, or because it is repeated.
    package static var generous: Self { .minutes(9 + Repeated.count) }
}
