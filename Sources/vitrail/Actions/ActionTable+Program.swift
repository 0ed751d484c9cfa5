import V4L2Capture
import WindowGL

/// Effects, cameras, and what concerns the program.
extension ActionTable {
    static let effects: [ViewerAction] = [
        ViewerAction(
            "effects", "on|off", in: .effects, keys: [.init(.character("e"))], menu: [.init("Effects on, off")],
            "effects of the tile, or else of the wall, on, off"
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(EffectKnob.Turn.toggle, words)
        },
        ViewerAction(
            "parameter", "next|previous", in: .effects,
            keys: [.init(.character("["), "previous"), .init(.character("]"), "next")], repeats: true,
            "choose a parameter of the effects"
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(EffectKnob.Turn.choose(words.step()), words)
        },
        ViewerAction(
            "change", "more|less", in: .effects,
            keys: [.init(.character("-"), "less"), .init(.character("+"), "more"), .init(.character("="), "more")],
            repeats: true, "change the parameter"
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(EffectKnob.Turn.change(words.step()), words)
        },
        ViewerAction(
            "camera", "next|previous", in: .effects,
            keys: [.init(.character("b"), "previous"), .init(.character("n"), "next")], repeats: true,
            "choose a control of the camera, such as its brightness"
        ) { viewer, words throws(ProgramError) in
            try viewer.turnCamera(.choose(words.step()), words)
        },
        ViewerAction(
            "camera-change", "more|less", in: .effects,
            keys: [.init(.character("<"), "less"), .init(.character(">"), "more")], repeats: true, "change the control"
        ) { viewer, words throws(ProgramError) in
            try viewer.turnCamera(.change(words.step()), words)
        },
        ViewerAction(
            "save-effects", "FILE", in: .effects, "save all effects in vitrail-effects.json, or in a file for --preset"
        ) { viewer, words throws(ProgramError) in
            viewer.savePreset(words.words.isEmpty ? viewer.presetPath : words.text)
        },
    ]

    static let program: [ViewerAction] = [
        ViewerAction(
            "help", "on|off", in: .program,
            keys: [.init(.character("?")), .init(.character("h")), .init(.key(.function(1)))],
            menu: [.init("All keys")], "all keys over the wall, or their next page"
        ) { viewer, words throws(ProgramError) in
            guard !words.words.isEmpty else { return viewer.overlay.help.turn() }
            viewer.overlay.help.show(try words.toggled(false))
        },
        ViewerAction(
            "statistics", "on|off", in: .program, keys: [.init(.character("i"))], menu: [.init("Statistics")],
            "statistics"
        ) { viewer, words throws(ProgramError) in
            viewer.setStatistics(try words.toggled(viewer.statistics != nil))
        },
        ViewerAction(
            "names", "on|off", in: .program, keys: [.init(.character("l"))], menu: [.init("Names on, off")],
            "names and states of all tiles"
        ) { viewer, words throws(ProgramError) in
            let isOn = try words.toggled(viewer.style.look.names)
            viewer.edit { $0.look.names = isOn }
        },
        ViewerAction(
            "clock", "on|off", in: .program, keys: [.init(.character("k"))], menu: [.init("Clocks on, off")],
            "a clock in the bars of live streams"
        ) { viewer, words throws(ProgramError) in
            let isOn = try words.toggled(viewer.style.look.clock)
            viewer.edit { $0.look.clock = isOn }
        },
        ViewerAction(
            "inspect", "on|off", in: .program, keys: [.init(.character("p"))],
            "the pixel under the mouse: its samples, its colour"
        ) { viewer, words throws(ProgramError) in
            viewer.setInspector(try words.toggled(viewer.isInspecting))
        },
        ViewerAction(
            "snapshot", in: .program, keys: [.init(.character("s"))], menu: [.init("Save a picture")],
            "save a PNG of the wall"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.snapshot()
        },
        ViewerAction(
            "clip", "SECONDS", in: .program, keys: [.init(.character("C"))], menu: [.init("Save the last 10 s")],
            "save the last 10 s of every stream, without encoding"
        ) { viewer, words throws(ProgramError) in
            try viewer.saveClip(words)
        },
        ViewerAction("also", "OUTPUT", in: .program, "write or send the wall, too: see --also") {
            viewer, words throws(ProgramError) in
            try viewer.beginOutput(words)
        },
        ViewerAction("end-also", "OUTPUT|all", in: .program, "complete such an output, or all") {
            viewer, words throws(ProgramError) in
            try viewer.endOutput(words)
        },
        ViewerAction(
            "fullscreen", "on|off", in: .program, keys: [.init(.character("f")), .init(.key(.function(11)))],
            menu: [.init("Fullscreen")], "fullscreen on, off"
        ) { viewer, words throws(ProgramError) in
            viewer.window.isFullscreen = try words.toggled(viewer.window.isFullscreen)
        },
        ViewerAction(
            "leave", in: .program, keys: [.init(.key(.escape))], "leave the help, a single tile, or else fullscreen"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.leave()
        },
        ViewerAction(
            "quit", in: .program, keys: [.init(.character("q")), .init(.key(.letter("q"), .control))],
            menu: [.init("Quit")], "close the window"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            if words.canAsk { viewer.quit() } else { viewer.isDone = true }
        },
    ]
}
