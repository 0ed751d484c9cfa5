import MediaIO

/// The output of `vitrail probe` for an input.
struct ProbeReport: InspectionReport, Codable, Hashable {
    /// One part of the colours.
    struct Part: Codable, Hashable {
        /// `matrix`, `range`, `primaries`, `transfer` or `chroma`.
        var part: String
        /// The stream's tag, or `nil`.
        var said: String?
        var taken: String
        var reason: String
    }

    struct Crop: Codable, Hashable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// In cd/m²; unspecified values are left out.
    struct Brightness: Codable, Hashable {
        var masteringMaximum: Double?
        var masteringMinimum: Double?
        var maximumContentLight: Double?
        var maximumFrameAverageLight: Double?
    }

    var input: String
    var format: String
    var formatSummary: String
    var width: Int
    var height: Int
    /// The part that is shown, or `nil` for all.
    var crop: Crop?
    var brightness: Brightness?
    var colors: [Part]
    /// The conversion that shows the colours on an ordinary (sRGB) screen.
    var conversion: String

    /// - Parameters:
    ///   - input: as typed, without secrets.
    ///   - frame: the first one.
    ///   - notes: what is known of its colour tags besides their values.
    ///   - mode: which colours are converted.
    init(
        input: String, frame: VideoFrame, notes: [ColorTags.Part: ColorTags.Note] = [:],
        mode: ColorConversionMode = .auto
    ) {
        self.input = input
        let (layout, size) = (frame.image.format ?? .i420, frame.image.size)
        format = layout.rawValue
        formatSummary = layout.summary
        (width, height) = (size.width, size.height)
        let visible = frame.visibleRectangle
        if visible.width != width || visible.height != height {
            crop = Crop(x: visible.x, y: visible.y, width: visible.width, height: visible.height)
        }
        brightness = frame.attributes.hdrMetadata.map(Brightness.init)
        colors = frame.attributes.colorTags.explanation(of: layout, size: size, notes: notes).map {
            Part(part: $0.part.rawValue, said: $0.said, taken: $0.taken, reason: $0.reason)
        }
        conversion = Self.words(
            ColorConversion.needed(from: frame.colorSpace, to: .sRGB, mode: mode), frame.attributes.hdrMetadata)
    }

    var tables: [[[String]]] { [rows, colorRows] }

    /// A name and a value per line.
    var rows: [[String]] {
        var rows = [["format", "\(format) (\(formatSummary))"], ["size", "\(width)x\(height)"]]
        if let crop { rows.append(["shown", "\(crop.width)x\(crop.height) at \(crop.x),\(crop.y)"]) }
        if let brightness { rows.append(["brightness", brightness.words]) }
        rows.append(["conversion", conversion])
        return rows
    }

    /// Tags and the values used, one row per part, below a heading.
    var colorRows: [[String]] {
        [["colour", "tagged", "used", "why"]] + colors.map { [$0.part, $0.said ?? "–", $0.taken, $0.reason] }
    }

    private static func words(_ conversion: ColorConversion?, _ metadata: HDRMetadata?) -> String {
        guard let conversion else { return "none: code values are shown unchanged" }
        let target = conversion.target
        let (primaries, transfer) = (conversion.primaries.rawValue, conversion.transfer.rawValue)
        let words =
            conversion.transfer == target.transfer
            ? "primaries \(primaries) to \(target.primaries.rawValue)"
            : conversion.primaries == target.primaries
                ? "transfer \(transfer) to \(target.transfer.rawValue)"
                : "\(primaries) \(transfer) to \(target.primaries.rawValue) \(target.transfer.rawValue)"
        guard conversion.hasToneCurve else { return words }
        return words + ", tone mapped from \(number(ToneCurve.sourcePeak(of: conversion.transfer, metadata))) cd/m²"
    }

    /// Whole numbers without a decimal point.
    fileprivate static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }
}

extension ProbeReport.Brightness {
    init(_ metadata: HDRMetadata) {
        func said(_ value: Double) -> Double? { value > 0 ? value : nil }
        masteringMaximum = said(metadata.maximumLuminance)
        masteringMinimum = said(metadata.minimumLuminance)
        maximumContentLight = said(metadata.maximumContentLight)
        maximumFrameAverageLight = said(metadata.maximumFrameAverageLight)
    }

    /// All values, in one line.
    var words: String {
        let parts: [(String, Double?)] = [
            ("mastering display up to", masteringMaximum), ("down to", masteringMinimum),
            ("MaxCLL", maximumContentLight), ("MaxFALL", maximumFrameAverageLight),
        ]
        let limit = ToneCurve.largestLuminance
        let said = parts.compactMap { name, value in
            value.map {
                "\(name) \(ProbeReport.number($0))"
                    + ($0 > limit ? " (not used: above \(ProbeReport.number(limit)))" : "")
            }
        }
        return said.isEmpty ? "not specified" : said.joined(separator: ", ") + " cd/m²"
    }
}
