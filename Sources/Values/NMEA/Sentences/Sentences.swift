// SPDX-License-Identifier: MIT

/// The built-in sentence types. To add one, add its file to a folder next to this file, and its
/// name here.
public let knownSentences: [any Sentence.Type] = [
    // Position
    GGA.self, RMC.self, VTG.self, GLL.self, ZDA.self, GNS.self, DTM.self,
    // Satellites
    GSA.self, GSV.self, GST.self, GBS.self, GRS.self,
    // Heading
    HDT.self, HDG.self, HDM.self, ROT.self, THS.self, HPR.self, KSXT.self,
    // Water, wind and equipment
    MTW.self, DBT.self, DBK.self, DBS.self, DPT.self, VHW.self, VLW.self, MWV.self, VWR.self,
    VWT.self, MWD.self, XDR.self, VBW.self, RPM.self, RSA.self, TTM.self, TXT.self,
    // Navigation
    RMB.self, APB.self, BOD.self, BWC.self, XTE.self, WPL.self, RTE.self, AAM.self,
    // Proprietary
    PUBX00.self, PUBX03.self, PUBX04.self, PGRME.self, PGRMZ.self, PGRMM.self, PGRMV.self,
    PMTK001.self, PASHR.self, PTNLGGK.self, PTNLAVR.self, PSATHPR.self,
]
