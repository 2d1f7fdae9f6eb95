// SPDX-License-Identifier: MIT

// `import GPSBridge` also imports the modules whose types its public interface uses.
@_exported public import Delegation
@_exported public import GNSS
@_exported public import GPSIntegrity
@_exported public import GPSReceivers
