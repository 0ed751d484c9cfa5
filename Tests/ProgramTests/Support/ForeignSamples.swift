import MediaIO
import Testing
import VideoWall

@testable import vitrail

/// Files of other programs, for tests of what becomes of them.
enum ForeignSamples {
    /// A configuration of cctv-viewer: one large tile beside two small ones.
    static let spans = #"""
        [ViewportsLayoutsCollection]
        currentIndex=0
        models="[{\"aspectRatio\":{\"width\":16,\"height\":9},\"items\":[{\"avFormatOptions\":{\"rtsp_transport\":\"tcp\"},\"columnSpan\":2,\"rowSpan\":2,\"url\":\"rtsp://viewer:s%40fe@192.0.2.11:554/h264/ch1/main?profile=1&unicast=true\",\"visible\":0,\"volume\":1},{\"avFormatOptions\":{},\"columnSpan\":-1,\"rowSpan\":0,\"url\":\"\",\"visible\":1,\"volume\":0},{\"avFormatOptions\":{},\"columnSpan\":1,\"rowSpan\":1,\"url\":\"rtsp://cam-gar\xe1\x17e.lan/stream2\",\"visible\":0,\"volume\":0},{\"avFormatOptions\":{},\"columnSpan\":0,\"rowSpan\":-1,\"url\":\"\",\"visible\":1,\"volume\":0},{\"avFormatOptions\":{},\"columnSpan\":-1,\"rowSpan\":-1,\"url\":\"\",\"visible\":1,\"volume\":0},{\"avFormatOptions\":{},\"columnSpan\":1,\"rowSpan\":1,\"url\":\"rtmp://192.0.2.20/live/yard\",\"visible\":0,\"volume\":0}],\"size\":{\"width\":3,\"height\":2}}]"
        """#

    /// A configuration of an old cctv-viewer: two presets, of which the second, the current one, is empty.
    static let old = #"""
        [ViewportsLayoutsCollection]
        currentIndex=1
        collection="[{\"division\":2,\"aspectRatio\":\"4:3\",\"model\":[{\"url\":\"rtsp://192.0.2.31/a\",\"columnSpan\":1,\"rowSpan\":1,\"visible\":1,\"volume\":0},{\"url\":\"rtsp://192.0.2.32/b\",\"columnSpan\":1,\"rowSpan\":1,\"visible\":1,\"volume\":0.5},{\"url\":\"\",\"columnSpan\":1,\"rowSpan\":1},{\"url\":\"\",\"columnSpan\":1,\"rowSpan\":1},{\"url\":\"rtsp://192.0.2.99/parked\",\"columnSpan\":0,\"rowSpan\":0,\"visible\":0}]},{}]"
        """#

    /// A playlist of GridPlayer in lines.
    static let lines = #"""
        #GRIDPLAYER
        #P:{"grid_state": {"mode": "auto_rows", "is_fit": true, "size": 2}, "snapshots": {}}
        #V0:{"title": "Door", "aspect_mode": "fit", "transform": "rotate_90", "scale": 2.5, "repeat_mode": "single_file"}
        #V1:{"aspect_mode": "none", "is_muted": false, "rate": 1.5, "crop": [0, 10, 0, 0], "color": "#ff0000"}
        clips/a b.mp4
        rtsp://me:hidden1@192.0.2.3/1
        #V2:{"repeat_mode": "dir", "stream_quality": "720p", "loop_start": 2000}
        /srv/c?.mkv
        """#

    /// A playlist of GridPlayer in JSON, with a fixed grid.
    static let fixed = #"""
        {"format": "gridplayer-playlist", "version": 1,
         "settings": {
            "grid_state": {"mode": "fixed", "rows": 2, "cols": 3, "preallocate": true, "cells": [
                {"video_id": "v2", "row": 1, "col": 0, "rowspan": 1, "colspan": 1},
                {"video_id": "v1", "row": 0, "col": 1, "rowspan": 2, "colspan": 2}]},
            "video_defaults": {"aspect": "stretch", "transform": "none", "scale": 1.0}},
         "videos": [
            {"uri": "rtsp://192.0.2.1/a", "id": "v1", "title": "Yard", "transform": "transpose"},
            {"uri": "b.mp4", "id": "v2", "aspect_mode": "none", "end_action": "loop_file"},
            {"uri": "c.mp4", "id": "v3"}]}
        """#

    /// A list of addresses.
    static let list = """
        #EXTM3U
        #PLAYLIST:Office
        #EXTINF:-1 tvg-id="a, b" group-title="x",The door, left
        #EXTVLCOPT:network-caching=1000
        rtsp://me:hidden2@192.0.2.7/1?rotate=90&channel=2
        clips/a.mp4
        hikvision://192.0.2.8/
        C:\\Videos\\b.mp4

        /srv/c.mp4?loop
        """

    /// Every sample, with the name of its file.
    static let all = [
        ("a.conf", spans), ("b.conf", old), ("c.gpls", lines), ("d.gpls", fixed), ("e.m3u", list),
    ]

    /// Converts what is in a file in `/nowhere`.
    static func wall(_ text: String, _ name: String = "x", wall: Int? = nil) throws -> ForeignWall {
        try self.wall(Array(text.utf8), name, wall: wall)
    }

    /// Converts the bytes of a file in `/nowhere`.
    static func wall(_ bytes: [UInt8], _ name: String = "x", wall: Int? = nil) throws -> ForeignWall {
        try ForeignWall(bytes, path: "/nowhere/" + name, folder: "/nowhere", wall: wall)
    }

    /// The error of what cannot be converted.
    static func problem(_ text: String, _ name: String = "x", wall: Int? = nil) -> ConversionProblem? {
        do { _ = try self.wall(text, name, wall: wall) } catch { return error as? ConversionProblem }
        return nil
    }
}

extension FreeLayout.Place {
    /// A place in a grid.
    init(_ column: Int, _ row: Int, _ columns: Int, _ rows: Int, of grid: (columns: Int, rows: Int)) {
        self.init(
            x: Double(column) / Double(grid.columns), y: Double(row) / Double(grid.rows),
            width: Double(columns) / Double(grid.columns), height: Double(rows) / Double(grid.rows))
    }
}
