import MediaIO
import Testing

/// Turning, and rectangles.
struct GeometryTests {
    @Test func turnsFormAGroup() {
        for first in VideoRotation.allCases {
            #expect(first + .upright == first)
            #expect(.upright + first == first)
            #expect(first + first + first + first == .upright)
            #expect(VideoRotation.allCases.contains { first + $0 == .upright })
            for second in VideoRotation.allCases {
                #expect(first + second == second + first)
                #expect((first + second).rawValue == (first.rawValue + second.rawValue) % 360)
                #expect((first + second).isQuarterTurn == (first.isQuarterTurn != second.isQuarterTurn))
                for third in VideoRotation.allCases { #expect((first + second) + third == first + (second + third)) }
            }
        }
    }

    @Test func mirrorNames() {
        #expect(VideoMirror.allCases.filter(\.isHorizontal) == [.horizontal, .both])
        #expect(VideoMirror.allCases.filter(\.isVertical) == [.vertical, .both])
    }

    @Test func pointsInRectangles() {
        let area = Rectangle(x: 2, y: 3, width: 4, height: 5)
        #expect(area.contains(x: 2, y: 3) && area.contains(x: 5.9, y: 7.9))
        #expect(!area.contains(x: 6, y: 3) && !area.contains(x: 2, y: 8) && !area.contains(x: 1.9, y: 3))
        #expect(!Rectangle(x: 2, y: 3, width: 0, height: 5).contains(x: 2, y: 3))
    }
}
