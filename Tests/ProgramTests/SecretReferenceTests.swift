import Glibc
import TestSupport
import Testing

@testable import vitrail

/// Passwords from the environment and from files.
@Suite(.serialized)
struct SecretReferenceTests {
    static let variable = "VITRAIL_TEST_SECRET"

    static func insert(_ secret: String, _ address: String) -> String {
        setenv(variable, secret, 1)
        do throws(ProgramError) {
            return try SecretReference("env:\(variable)").inserted(into: address)
        } catch {
            #expect(error.status == .usage && !error.description.contains("pa55"))
            return error.description
        }
    }

    @Test(
        "A secret is the password of the user in the address",
        arguments: [
            ("pa55", "rtsp://me@door/1", "rtsp://me:pa55@door/1"),
            ("pa55", "rtsp://me@door", "rtsp://me:pa55@door"),
            ("pa55", "rtsp://me@door/a@b?c=d@e", "rtsp://me:pa55@door/a@b?c=d@e"),
            ("me:pa55", "rtsp://door/1", "rtsp://me:pa55@door/1"),
            ("me:pa:55", "rtsp://door:554/1?x=1@2", "rtsp://me:pa%3A55@door:554/1?x=1@2"),
            ("p@/:?#% é", "rtsp://me@door/1", "rtsp://me:p%40%2F%3A%3F%23%25%20%C3%A9@door/1"),
            ("pa55", "rtsp://[::1]/1", "the URL names no user"),
            ("pa55", "rtsp://door/1", "the URL names no user"),
            ("pa55", "rtsp://me:pa55@door/1", "the URL has a password already"),
            ("pa55", "door.mp4", "a secret needs a URL"),
            ("", "rtsp://me@door/1", "the secret in VITRAIL_TEST_SECRET is empty"),
        ])
    func inserts(_ secret: String, _ address: String, _ result: String) {
        let text = Self.insert(secret, address)
        #expect(result.hasPrefix("rtsp://") ? text == result : text.hasPrefix(result), "\(text)")
    }

    @Test(
        "What is no reference is not shown",
        arguments: ["pa55", "env:", "file:", "ENV:A", "", "env:A=pa55", "env:\u{1}"])
    func notShown(_ text: String) {
        do throws(ProgramError) {
            _ = try SecretReference(text)
            Issue.record("It was read.")
        } catch {
            #expect(!error.description.contains("pa55"))
        }
    }

    @Test("A variable that is not set, and a file that is not there, are named")
    func missing() {
        func error(_ text: String) -> String {
            do throws(ProgramError) {
                return try SecretReference(text).inserted(into: "rtsp://me@door/1")
            } catch {
                return error.description
            }
        }
        #expect(error("env:VITRAIL_NOT_SET") == "the variable VITRAIL_NOT_SET is not set in the environment")
        #expect(
            error("file:/nowhere/a") == "/nowhere/a, which has the secret, cannot be read: No such file or directory")
        #expect(error("file:/tmp") == "/tmp, which has the secret, is not a file")
    }

    @Test(
        "The first line of a file is the secret, if only its owner may read it",
        arguments: [
            ("pa55\nmore\n", 0o600, "rtsp://me:pa55@door/1"), ("pa55\r\n", 0o400, "rtsp://me:pa55@door/1"),
            ("pa 55", 0o600, "rtsp://me:pa%2055@door/1"), ("pa55", 0o640, "others may read"),
            ("pa55", 0o604, "others may"),
            ("\npa55", 0o600, "is empty"), ("", 0o600, "is empty"), ("pa\u{0}55", 0o600, "has a zero byte"),
        ])
    func files(_ text: String, _ mode: Int, _ result: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write("secret", Array(text.utf8))
        chmod(path, mode_t(mode))
        do throws(ProgramError) {
            #expect(try SecretReference("file:\(path)").inserted(into: "rtsp://me@door/1") == result)
        } catch {
            #expect(error.description.contains(result) && !error.description.contains("pa55"), "\(error)")
        }
    }

    @Test("A wall file takes its secret from the environment, and never has it")
    func inWallFile() throws {
        setenv(Self.variable, "pa55", 1)
        let text = "[[input]]\nurl = \"rtsp://me@door/1\"\nsecret = \"env:\(Self.variable)\"\n"
        let folder = TemporaryFolder()
        let file = try WallFile.read(folder.write("a.toml", Array(text.utf8)))
        #expect(try InputSpecification(file.document.inputs[0]).address == "rtsp://me:pa55@door/1")
        #expect(!file.document.toml.contains("pa55") && !file.document.json.contains("pa55"))
        let missing = text.replacing(Self.variable, with: "VITRAIL_NOT_SET")
        #expect(
            WallFileTests.error(missing)
                == "office.toml:3:10: the variable VITRAIL_NOT_SET is not set in the environment")
        let key = folder.write("key", Array("pa55\n".utf8))
        chmod(key, 0o600)
        let relative = folder.write("b.toml", Array("[[input]]\nurl='rtsp://me@door/1'\nsecret='file:key'\n".utf8))
        #expect(try WallFile.read(relative).document.inputs[0].secret == "file:\(key)")
    }
}
