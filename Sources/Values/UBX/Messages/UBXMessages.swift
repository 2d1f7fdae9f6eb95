// SPDX-License-Identifier: MIT

/// The message types that have a Swift type. Any other message is delivered only as a `UBXFrame`,
/// with its class, id and payload.
public let knownUBXMessages: [any UBXMessage.Type] = [
    NavPVT.self, NavPVAT.self, NavHPPOSLLH.self, NavRELPOSNED.self, NavSVIN.self,
    NavSOL.self, NavPOSLLH.self, NavVELNED.self,
    NavDOP.self, NavCOV.self, NavEELL.self, NavPL.self, NavSTATUS.self,
    NavSAT.self, NavSIG.self, NavSVINFO.self,
    NavCLOCK.self, NavTIMEUTC.self, NavTIMEGPS.self, NavTIMELS.self, NavEOE.self,
    MonVER.self, MonRF.self, MonHW.self, MonCOMMS.self, MonTXBUF.self, MonSPAN.self,
    SecSIG.self, SecSIGLOG.self, SecUNIQID.self,
    TimTP.self, TimTM2.self,
    RxmRTCM.self, RxmCOR.self, RxmRAWX.self, RxmSFRBX.self,
    AckACK.self, AckNAK.self, MgaACK.self, MgaDBD.self, MgaINI.self, UpdSOS.self,
    CfgVALSET.self, CfgVALGET.self, CfgVALDEL.self,
    CfgPRT.self, CfgMSG.self, CfgRATE.self, CfgNAV5.self, CfgNAVX5.self, CfgGNSS.self,
    CfgNMEA.self, CfgSBAS.self, CfgITFM.self, CfgCFG.self, CfgRST.self, MonGNSS.self,
]
