// SPDX-License-Identifier: MIT

// Apple's module brings Foundation along, and programs rely on it for `NSObject` and `Date`.
@_exported public import Foundation
