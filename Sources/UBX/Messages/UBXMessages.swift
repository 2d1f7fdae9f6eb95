// SPDX-License-Identifier: MIT

/// The message types that have a Swift type. Any other message is delivered only as a `UBXFrame`,
/// with its class, id and payload.
public let knownUBXMessages: [any UBXMessage.Type] = [
    NavPVT.self, NavPVAT.self, NavHPPOSLLH.self, NavRELPOSNED.self,
    NavSOL.self, NavPOSLLH.self, NavVELNED.self,
    NavDOP.self, NavCOV.self, NavPL.self, NavSTATUS.self,
    NavSAT.self, NavSIG.self, NavSVINFO.self,
    NavCLOCK.self, NavTIMEUTC.self, NavTIMEGPS.self, NavEOE.self,
    MonVER.self, MonRF.self, MonHW.self, MonCOMMS.self, MonTXBUF.self,
    SecSIG.self, SecUNIQID.self,
    RxmRAWX.self, RxmSFRBX.self,
    AckACK.self, AckNAK.self, MgaACK.self, MgaDBD.self, MgaINI.self, UpdSOS.self,
    CfgVALSET.self, CfgVALGET.self, CfgVALDEL.self,
    CfgPRT.self, CfgMSG.self, CfgRATE.self, CfgNAV5.self, CfgNAVX5.self, CfgGNSS.self,
    CfgNMEA.self, CfgSBAS.self, CfgITFM.self, CfgCFG.self, CfgRST.self, MonGNSS.self,
]

/// Messages that have a name, but no Swift type, because nothing reads them.
extension UBXMessageID {
    package static let navSVIN = UBXMessageID(0x01, 0x3B)
    package static let navTIMELS = UBXMessageID(0x01, 0x26)
    package static let navEELL = UBXMessageID(0x01, 0x3D)
    package static let monSPAN = UBXMessageID(0x0A, 0x31)
    package static let rxmRTCM = UBXMessageID(0x02, 0x32)
    package static let rxmCOR = UBXMessageID(0x02, 0x34)
    package static let secSIGLOG = UBXMessageID(0x27, 0x10)
    package static let timTM2 = UBXMessageID(0x0D, 0x03)

    static let untypedNames: [UBXMessageID: String] = [
        .navSVIN: "NAV-SVIN", .navTIMELS: "NAV-TIMELS", .navEELL: "NAV-EELL",
        .monSPAN: "MON-SPAN", .rxmRTCM: "RXM-RTCM", .rxmCOR: "RXM-COR",
        .secSIGLOG: "SEC-SIGLOG", UBXMessageID(0x0D, 0x01): "TIM-TP", .timTM2: "TIM-TM2",
    ]
}
