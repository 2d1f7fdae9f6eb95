// SPDX-License-Identifier: MIT

// `import GPSBridge` is all a program writes: what its interface is made of comes with it.
@_exported public import Delegation
@_exported public import GNSS
@_exported public import GPSReceivers
