import ArgumentParser
struct ViewCommand: ParsableCommand { static let configuration = CommandConfiguration(commandName: "view")
 @Argument var inputs: [String] = []
 func run() throws { print(inputs) } }
struct RenderCommand: ParsableCommand {  static let configuration = CommandConfiguration(commandName: "render")}
struct InfoCommand: ParsableCommand { static let configuration = CommandConfiguration(commandName: "info") }
