// SPDX-License-Identifier: MIT

/// The sentences that are decoded. Adding one is a file in this folder and a line here.
public let knownSentences: [any Sentence.Type] = [
    GGA.self,
    RMC.self,
    GSA.self,
    GSV.self,
    VTG.self,
    GLL.self,
    ZDA.self,
    GNS.self,
    GST.self,
    GBS.self,
]
