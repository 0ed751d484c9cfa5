/// Has FFmpeg's program tag pictures instead of the encoder, as FFmpeg 7 tags a clip as its pictures are.
///
/// - Parameter arguments: of an output, with the options for a clip's colour tags.
/// - Returns: the same with a filter in their place, which every version obeys.
public func taggingPictures(_ arguments: [String]) -> [String] {
    let parts = [
        "-colorspace": "colorspace", "-color_primaries": "color_primaries", "-color_trc": "color_trc",
        "-color_range": "range",
    ]
    // The filter's names of what the option calls otherwise.
    let names = ["gamma22": "bt470m", "gamma28": "bt470bg", "rgb": "gbr"]
    var tags: [String] = []
    var result: [String] = []
    var filters: [String] = []
    var place: Int?
    var index = 0
    while index < arguments.count {
        let option = arguments[index]
        guard index + 1 < arguments.count, parts[option] != nil || option == "-vf" || option == "-pix_fmt" else {
            result.append(option)
            index += 1
            continue
        }
        let value = arguments[index + 1]
        if let part = parts[option] {
            tags.append("\(part)=\(names[value] ?? value)")
            place = place ?? result.count
        } else if option == "-vf" {
            filters.append(value)
        } else {
            // Pictures are converted before they are tagged, so that the converter cannot change the tags.
            filters.append("format=\(value)")
            result += [option, value]
        }
        index += 2
    }
    guard let place else { return arguments }
    result.insert(
        contentsOf: ["-vf", (filters + ["setparams=" + tags.joined(separator: ":")]).joined(separator: ",")], at: place)
    return result
}
