// SPDX-License-Identifier: MIT

// Apple's module re-exports Foundation, and programs rely on it for `NSObject` and `Date`.
@_exported public import Foundation
