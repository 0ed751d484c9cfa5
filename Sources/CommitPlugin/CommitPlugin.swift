import Foundation
import PackagePlugin

/// Names the commit that a program is built from, for its `--version`.
@main
struct CommitPlugin: BuildToolPlugin {
    /// Writes `Commit.swift`, only if it differs: a newer file would compile the program again.
    ///
    /// Without git, or in a source archive, there is no name. Files that git does not know change nothing.
    private static let script = #"""
        mkdir -p "$2"
        name=$(git -C "$1" rev-parse --short=12 HEAD 2>/dev/null) || name=
        if [ -n "$name" ] && ! git -C "$1" diff --quiet HEAD -- 2>/dev/null; then name="$name, changed"; fi
        if [ -n "$name" ]; then value="\"$name\""; else value=nil; fi
        text="/// The commit that this was built from; \`nil\` if it is not known.
        enum Commit { static let name: String? = $value }"
        if [ "$(cat "$2/Commit.swift" 2>/dev/null)" != "$text" ]; then printf '%s\n' "$text" > "$2/Commit.swift"; fi
        """#

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.pluginWorkDirectoryURL.appending(path: "commit")
        return [
            .prebuildCommand(
                displayName: "Name the commit", executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", Self.script, "sh", context.package.directoryURL.path(), folder.path()],
                outputFilesDirectory: folder)
        ]
    }
}
