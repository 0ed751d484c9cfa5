import FFmpegMedia
import TestSupport
import Testing

/// What of a URL may be shown.
struct SecretTests {
    @Test(
        "User information of any shape ends at the last @",
        arguments: [
            ("rtsp://me:secret@door/1", "rtsp://door/1"),
            ("RTSP://ME:SECRET@DOOR/1", "RTSP://DOOR/1"),
            ("http://me:secret@host:8080/a?b=c#d", "http://host:8080/a?b=c#d"),
            ("http://secret@host/a", "http://host/a"),
            ("http://:secret@host/a", "http://host/a"),
            ("http://me:@host/a", "http://host/a"),
            ("rtsp://me:secret@[::1]:554/a", "rtsp://[::1]:554/a"),
            ("rtsp://me:s%20e%40%2Fcret@door/1", "rtsp://door/1"),
            ("rtsp://me%3Asecret%40door/1", "rtsp://door/1"),
            ("rtsp://me:12@34secret@door/1", "rtsp://door/1"),
            ("rtsp://admin:p@ss/w@host", "rtsp://host"),
            ("rtsp://admin:p/w@host/1", "rtsp://host/1"),
            ("rtsp://admin:p?w@host/1", "rtsp://host/1"),
            ("rtsp://admin:p#w@host/1", "rtsp://host/1"),
            ("rtsp://admin:p/?#@:w@host:1/1", "rtsp://host:1/1"),
            ("rtsp://admin:p://w@host/1", "rtsp://host/1"),
            ("rtsp://admin:p w@host/1", "rtsp://host/1"),
            ("rtsp://é:ü@host/1", "rtsp://host/1"),
            ("rtsp://admin:/w@host/1", "rtsp://host/1"),
            ("rtsp://a:b@", "rtsp://"),
            // The name of a host or of a user, a port or the beginning of a password: the host is worth showing.
            ("rtsp://admin:1/w@host/1", "rtsp://admin:***@host/1"),
            ("https://h:8443/a@2x.mp4", "https://h:***@2x.mp4"),
            ("gopher://me:secret@host", "gopher://host"),
            ("http://proxy/http://me:secret@host/a", "http://proxy/http://host/a"),
        ])
    func userInformation(_ url: String, _ shown: String) {
        #expect(MediaLocation.hidingSecrets(in: url) == shown)
    }

    @Test(
        "The values of secret parameters are hidden, the others are not",
        arguments: [
            ("http://h/p?user=me&password=secret", "http://h/p?user=me&password=***"),
            ("http://h/p?password=secret&user=me", "http://h/p?password=***&user=me"),
            ("http://h/p?password=a&token=b&x=c", "http://h/p?password=***&token=***&x=c"),
            ("srt://h:1?passphrase=secret&mode=caller", "srt://h:1?passphrase=***&mode=caller"),
            ("srt://h:1?streamid=#!::u=me,s=secret&latency=9", "srt://h:1?streamid=***&latency=9"),
            ("http://me:secret@h/p?token=secret", "http://h/p?token=***"),
            // Unescaped characters belong to the value.
            ("http://h/p?token=a=b/c?d;e#f@g", "http://h/p?token=***"),
            ("http://h/p?password=a&b&x=c", "http://h/p?password=***&x=c"),
            ("http://h/p?password=a&b", "http://h/p?password=***"),
            ("http://h/p?x=1;token=secret", "http://h/p?x=1;token=***"),
            ("http://h/p?a?password=secret", "http://h/p?a?password=***"),
            ("http://h/p#token=secret", "http://h/p#token=***"),
            ("rtsp://h/user=me&password=secret&channel=1", "rtsp://h/user=me&password=***&channel=1"),
            ("rtsp://h/user=me_password=secret_channel=1.sdp?", "rtsp://h/user=me_password=***"),
            ("http://h/%70%41ssword=x?p%61ss=secret&x=1", "http://h/%70%41ssword=***&x=1"),
            ("http://h/p?p%61ss=s%65cret&%61=1", "http://h/p?p%61ss=***&%61=1"),
            ("http://h/p?%zzpassword=secret", "http://h/p?%zzpassword=***"),
            ("http://h/p?u=http%3A%2F%2Fme%3Asecret%40h&x=1", "http://h/p?u=***&x=1"),
            ("http://h/p?u=http%3A%2F%2Fh%3Ftoken%3Dsecret", "http://h/p?u=***"),
            // An @ in a secret does not bring its end to light, nor the user information before it.
            ("http://me:secret@h/p?token=sec@ret&x=1", "http://***&x=1"),
            ("rtsp://me:a?token=b@h/1", "rtsp://***"),
            ("http://h/p?password=", "http://h/p?password=***"),
        ])
    func parameters(_ url: String, _ shown: String) {
        #expect(MediaLocation.hidingSecrets(in: url) == shown)
    }

    @Test(
        "The stream key of RTMP is hidden, the application is not",
        arguments: [
            ("rtmp://live.example.org/app/live_123_KEY", "rtmp://live.example.org/app/***"),
            ("RTMPS://h:443/app/instance/KEY", "RTMPS://h:443/app/instance/***"),
            ("rtmp://me:secret@h/app/KEY?x=1&auth=b", "rtmp://h/app/***?x=1&auth=***"),
            ("rtmpt://h/app/KEY#rotate=90", "rtmpt://h/app/***#rotate=90"),
            ("rtmp://h/app playpath=KEY live=1", "rtmp://h/app playpath=***"),
            ("rtmp://h/app/", "rtmp://h/app/"), ("rtmp://h/app", "rtmp://h/app"), ("rtmp://h", "rtmp://h"),
            ("rtsp://h/app/channel", "rtsp://h/app/channel"),
            ("--preset=rtmp://h/app/KEY", "--preset=rtmp://h/app/***"),
            ("test:rtmp://h/app/KEY", "test:rtmp://h/app/***"),
            ("camera:RTMPS://h/app/KEY", "camera:RTMPS://h/app/***"),
            ("rtmp://h/app/KEY/", "rtmp://h/app/***/"), ("rtmp://h/app/KEY//?x=1", "rtmp://h/app/***//?x=1"),
            ("rtmp://h/app//", "rtmp://h/app//"),
            ("rtmp://h/app/KEY?to=rtmp://g/app/KEY", "rtmp://h/app/***?to=rtmp://g/app/***"),
            ("http://h/p?to=rtmp%3A%2F%2Fg%2Fapp%2FKEY", "http://h/p?to=***"),
            ("rtmp://h//KEY", "rtmp://h//***"), ("http://h/rtmp://g/app/KEY", "http://h/rtmp://g/app/***"),
            ("http://h/a and rtmp://g/app/KEY", "http://h/a and rtmp://g/app/***"),
        ])
    func streamKeys(_ url: String, _ shown: String) {
        #expect(MediaLocation.hidingSecrets(in: url) == shown)
    }

    @Test(
        "Accounts in the paths of IPTV panels are hidden, and web tokens anywhere",
        arguments: [
            ("http://h:80/live/me/secret/123.ts", "http://h:80/live/***/***/123.ts"),
            ("https://h/a/series/me/secret/123", "https://h/a/series/***/***/123"),
            ("http://h/movie/me/secret/7.mkv?x=1", "http://h/movie/***/***/7.mkv?x=1"),
            ("http://h/live/door/front/a.ts", "http://h/live/door/front/a.ts"),
            ("http://h/live/front/1.ts", "http://h/live/front/1.ts"),
            ("rtsp://h/live/ch0/main/1", "rtsp://h/live/ch0/main/1"),
            ("http://h/hls/eyJhbGci.eyJzdWIi.c2lnbg-_/i.m3u8", "http://h/hls/***/i.m3u8"),
            ("http://h/p?x=eyJhbGci.eyJzdWIi.&y=1", "http://h/p?x=***&y=1"),
            ("http://h/eyJhbGci.ts", "http://h/eyJhbGci.ts"),
            ("rtmp://h/http://g/live/me/secret/1.ts", "rtmp://h/http://g/live/***/***/***"),
        ])
    func paths(_ url: String, _ shown: String) {
        #expect(MediaLocation.hidingSecrets(in: url) == shown)
    }

    /// With work that grows with the square of the text, they take an hour.
    @Test(
        "Long texts take no longer than they are",
        .timeLimit(.minutes(25)),
        arguments: [
            "a:", "://", "a://", "rtmp://", "http://", "rtmp:///", "a=", "a=%41", "token=a", "token=a&", "&", "@",
            "a:@", "/", "%25",
            "=%3D", "://a@", "http%3A%2F%2Fa%3Ab%40", "eyJ", "eyJ.", "x", "a b=", "=&", "%40://",
        ])
    func long(_ piece: String) {
        for (start, end) in [("", "@h"), ("rtsp://h/?u=", "%zz")] {
            let text = start + String(repeating: piece, count: 65_536 / piece.utf8.count) + end
            #expect(MediaLocation.hidingSecrets(in: text).utf8.count <= 3 * text.utf8.count)
        }
    }

    @Test(
        "Names of secrets",
        arguments: [
            "password", "PASSWORD", "Passwd", "pass", "Pwd", "passphrase", "user_password", "userPassword", "pass1",
            "token", "access_token", "accessToken", "ACCESSTOKEN", "X-Amz-Security-Token", "wowzatokenhash", "key",
            "apikey", "api-key", "streamKey", "AWSAccessKeyId", "Key-Pair-Id", "secret", "client_secret", "auth",
            "auth_key", "authKey", "authorization", "signature", "X-Amz-Signature", "sig", "sign", "X-Amz-Credential",
            "streamid", "StreamId", "session", "sessionid", "sid", "hmac", "jwt", "md5", "hdnts", "credentials[0]",
            "code", "sas", "st", "verify", "pswd", "ak", "cred", "nonce", "cnonce", "sk", "policy", "Policy", "digest",
            "playpath", "oauth_verifier", "wsSecret", "userpwd", "mypwd", "userpass", "loginpas", "psw", "login",
            "bearer", "otp", "p",
        ])
    func names(_ name: String) {
        let shown = MediaLocation.hidingSecrets(in: "http://h/p?a=1&\(name)=hidden&b=2")
        #expect(shown == "http://h/p?a=1&\(name)=***&b=2")
    }

    @Test(
        "A mistyped URL shows no password either",
        arguments: [
            ("rtsp:/admin:secret@127.0.0.1/x", "***@127.0.0.1/x"), ("rtsp//admin:secret@h", "rtsp//***@h"),
            ("admin:S3cret@192.168.1.5/stream", "***@192.168.1.5/stream"), ("rtsp:admin:secret@h", "***@h"),
            ("rtsp:/admin:p@ss/w@h", "***@h"),
        ])
    func mistyped(_ text: String, _ shown: String) {
        #expect(MediaLocation.hidingSecrets(in: text) == shown)
    }

    @Test(
        "Text without a secret is unchanged",
        arguments: [
            "", "a.mp4", "a@b.mp4", "/a/password=b.mp4?c", "://", "http://", "http://h", "http://h:8080/a/b.m3u8",
            "rtsp://h:554/cam/realmonitor?channel=1&subtype=0", "rtsp://[fe80::1]:554/a@b", "https://h/@user/a.mp4",
            "https://h/a@2x.mp4", "https://h/a?mail=me@example.org", "https://h/a?x=http://h/b",
            "https://h/a?u=http%3A%2F%2Fh%2Fb", "udp://@239.0.0.1:1234", "udp://@:1234?pkt_size=1316",
            "http://h/a?keyframes=1&author=me&compass=n&design=x&ping=3&video=7&user=me", "http://h/a?token",
            "http://h/100%.mp4?x=%zz", "rtp://h:5004?localaddr=10.0.0.1", "http://h/é?ü=ö",
        ])
    func ordinary(_ text: String) {
        #expect(MediaLocation.hidingSecrets(in: text) == text)
    }

    @Test("A location is described without its secrets, even one parsed as a path")
    func locations() {
        #expect("\(MediaLocation("http://me:secret@h/a?token=b"))" == "http://h/a?token=***")
        #expect("\(MediaLocation("gopher://me:secret@h/a"))" == "gopher://h/a")
        #expect(MediaLocation("http://me:secret@h/a") == .network(url: "http://me:secret@h/a"))
    }

    @Test("No part of a secret remains, in any context", arguments: 1...10)
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["@", "/", "?", "&", "#", "=", ":", ";", "%40", "%", "a", "1", "://", "x=", "key=", " ", "é"]
        func text() -> String {
            (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        for _ in 0..<100 {
            let user = "rtsp://me:\(text())SECRET\(text())@host/\(text())"
            #expect(!MediaLocation.hidingSecrets(in: user).contains("SECRET"), "\(user)")
            let value = "http://host/\(text())?password=SECRET&a=\(text())"
            #expect(!MediaLocation.hidingSecrets(in: value).contains("SECRET"), "\(value)")
        }
    }
}
