// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct JSONObjectTests {
    @Test func `an object without members is two braces`() {
        #expect(JSONObject().description == "{}")
    }

    @Test func `members are in the order of addition`() {
        var satellite = JSONObject()
        satellite.add("svid", 7)
        satellite.add("used", true)
        var object = JSONObject(class: "SKY")
        object.add("device", "a \"b\"")
        object.add("satellites", [satellite, JSONObject()])
        object.add("links", ["x", "ä"])
        object.add("empty", objects: [])
        let expected =
            #"{"class":"SKY","device":"a \"b\"","satellites":[{"svid":7,"used":true},{}],"#
            + #""links":["x","\u00e4"],"empty":[]}"#
        #expect(object.description == expected)
    }

    @Test func `members without a value are omitted`() {
        var object = JSONObject()
        object.add("text", String?.none)
        object.add("count", Int?.none)
        object.add("number", nil, decimals: 2)
        for value in [Double.nan, .infinity, -1e18] { object.add("x", value, decimals: 0) }
        #expect(object.description == "{}")
    }

    @Test(arguments: [
        (1.125, 2, "1.13"), (-0.001, 2, "0.00"), (2.5, 0, "3"), (-12.3456, 3, "-12.346"),
        (123_456_789_012.5, 3, "123456789012.500"),
    ])
    func `a number has the given number of decimals`(value: Double, decimals: Int, text: String) {
        var object = JSONObject()
        object.add("x", value, decimals: decimals)
        #expect(object.description == "{\"x\":\(text)}")
    }
}
