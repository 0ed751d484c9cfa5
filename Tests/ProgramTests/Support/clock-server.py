"""Serves the time over RTSP at rtsp://127.0.0.1:PORT/1, for one argument, PORT.

A picture is taken 25 times a second by the machine's clock. Its number, counted since 1970, modulo 1000, is in it as three
grey columns, one for each digit.
"""

import sys
import threading
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

WIDTH, HEIGHT, RATE = 96, 64, 25


def picture(number):
    digits = [number // 100 % 10, number // 10 % 10, number % 10]
    row = b"".join(bytes([20 + 22 * digit]) * (WIDTH // 3) for digit in digits)
    return row * HEIGHT + bytes([128]) * (WIDTH * HEIGHT // 2)


def send(source):
    number = int(time.time() * RATE) + 1
    while True:
        time.sleep(max(0, number / RATE - time.time()))
        if source.emit("push-buffer", Gst.Buffer.new_wrapped(picture(number % 1000))) != Gst.FlowReturn.OK:
            return
        number += 1


class Factory(GstRtspServer.RTSPMediaFactory):
    def do_configure(self, media):
        source = media.get_element().get_child_by_name("time")
        threading.Thread(target=send, args=(source,), daemon=True).start()


Gst.init(None)
factory = Factory()
factory.set_launch(
    "( appsrc name=time is-live=true format=time do-timestamp=true"
    f" caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate={RATE}/1"
    " ! jpegenc quality=95 ! rtpjpegpay name=pay0 )"
)
factory.set_shared(True)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[1])
server.get_mount_points().add_factory("/1", factory)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
