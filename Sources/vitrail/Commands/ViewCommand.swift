import ArgumentParser

struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "view")
    @OptionGroup var wall: WallOptions
    func run() throws { print(try wall.specifications()) }
}
