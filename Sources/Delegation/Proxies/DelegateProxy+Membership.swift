// SPDX-License-Identifier: MIT

extension DelegateProxy {
    /// Whether `delegate` is the user's delegate or one that was added.
    package func calls(_ delegate: Delegate) -> Bool {
        if let current = forwardToDelegate(), current as AnyObject === delegate as AnyObject {
            return true
        }
        return additional.contains(delegate)
    }
}
