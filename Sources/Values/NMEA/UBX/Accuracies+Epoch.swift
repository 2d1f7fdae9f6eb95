// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension NavDOP: TimedMessage {
    /// Sets the PDOP, HDOP and VDOP. A fix stores no other DOPs.
    func contribute(to epoch: inout Epoch) {
        epoch.refine(\.dilution.hdop, horizontal)
        epoch.refine(\.dilution.vdop, vertical)
        epoch.refine(\.dilution.pdop, position)
    }
}

extension NavCOV: TimedMessage {
    /// Sets the covariances of position and velocity, and the standard deviations calculated from
    /// them.
    func contribute(to epoch: inout Epoch) {
        if isPositionValid == 1 {
            let covariance = Covariance(
                northNorth: positionNN, northEast: positionNE, northDown: positionND,
                eastEast: positionEE, eastDown: positionED, downDown: positionDD)
            epoch.refine(\.covariance, covariance)
            if let covariance {
                epoch.refine(
                    \.standardDeviation.latitude, Double(covariance.northNorth).squareRoot())
                epoch.refine(
                    \.standardDeviation.longitude, Double(covariance.eastEast).squareRoot())
                epoch.refine(
                    \.standardDeviation.altitude, Double(covariance.downDown).squareRoot())
            }
        }
        guard isVelocityValid == 1 else { return }
        epoch.refine(
            \.velocityCovariance,
            Covariance(
                northNorth: velocityNN, northEast: velocityNE, northDown: velocityND,
                eastEast: velocityEE, eastDown: velocityED, downDown: velocityDD))
    }
}

extension NavPL: TimedMessage {
    /// Sets the protection level of the position if it is valid.
    func contribute(to epoch: inout Epoch) {
        guard isPositionValid == 1, 1...3 ~= positionFrame, 0...1 ~= risk else { return }
        epoch.refine(
            \.protectionLevel,
            ProtectionLevel(
                horizontal: Float(horizontal), vertical: Float(position3), risk: Float(risk)))
    }

    /// The horizontal bound in metres. The levels of an ellipse (frame 3) are its axes. Those of
    /// the other frames bound the errors along two axes, and both errors may reach their bounds.
    private var horizontal: Double {
        guard positionFrame != 3 else { return max(position1, position2) }
        return (position1 * position1 + position2 * position2).squareRoot()
    }

    /// The integrity risk as a probability, 0 to 1. The message contains it in per cent, as a
    /// coefficient and a power of ten.
    private var risk: Double {
        let steps = abs(Int(riskExponent))
        return (0..<steps).reduce(Double(riskCoefficient) / 100) { value, _ in
            riskExponent < 0 ? value / 10 : value * 10
        }
    }
}
