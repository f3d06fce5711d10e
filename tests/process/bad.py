"""A scripted adapter: answers each request with its own input, and misbehaves as it is told.

bad.py BEHAVIOUR [ID]: does BEHAVIOUR when asked the request ID (or, without one, each request).
"""

import json
import os
import signal
import sys
import time

BEHAVIOUR = sys.argv[1]
ID = sys.argv[2] if len(sys.argv) > 2 else None
EXTRA = sys.argv[3] if len(sys.argv) > 3 else None


def write(data, fd=1):
    if isinstance(data, str):
        data = data.encode()
    while data:
        data = data[os.write(fd, data) :]


def answer(request):
    write(json.dumps({"id": request["id"], "output": request["input"]}) + "\n")


def flood(fd, chunk, size):
    for _ in range(size // len(chunk)):
        write(chunk, fd)


def misbehave(request):
    """Does as it is told, and says whether the request has had its answer."""
    if BEHAVIOUR == "exit":
        write("about to fail on %s\n" % request["id"], 2)
        os._exit(3)
    elif BEHAVIOUR == "exit 0":
        os._exit(0)
    elif BEHAVIOUR == "segv":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif BEHAVIOUR == "exit once" and not os.path.exists(EXTRA):
        open(EXTRA, "w").close()
        os._exit(1)
    elif BEHAVIOUR == "answer and exit":
        answer(request)
        os._exit(0)
    elif BEHAVIOUR == "hang":
        write("thinking about %s\n" % request["id"], 2)
        time.sleep(1000)
    elif BEHAVIOUR == "hang hard":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    elif BEHAVIOUR == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif BEHAVIOUR == "late":
        time.sleep(1.5)
    elif BEHAVIOUR == "double":
        answer(request)
    elif BEHAVIOUR == "unknown":
        answer({"id": "999999", "input": 0})
    elif BEHAVIOUR == "earlier":
        answer({"id": str(int(ID) - 1), "input": 0})
    elif BEHAVIOUR == "number":
        write('{"id":%s,"output":0}\n' % request["id"])
    elif BEHAVIOUR == "no id":
        write('{"output":0}\n')
    elif BEHAVIOUR == "print":
        write("debug: got here\n")
    elif BEHAVIOUR == "empty line":
        write("\n")
    elif BEHAVIOUR == "not utf-8":
        write(b'{"id":"' + request["id"].encode() + b'","output":"\xff\xfe"}\n')
    elif BEHAVIOUR == "half":
        write('{"id":"%s","outp' % request["id"])
        os._exit(0)
    elif BEHAVIOUR == "half and exit 1":
        write('{"id":"%s","outp' % request["id"])
        os._exit(1)
    elif BEHAVIOUR == "long":
        flood(1, b"x" * 65536, 1 << 30)
    elif BEHAVIOUR == "close stdin":
        os.close(0)
        time.sleep(1000)
    elif BEHAVIOUR == "close stdout":
        os.close(1)
        time.sleep(1000)
    elif BEHAVIOUR in ("fork and exit", "fork and hang"):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.close(0)
            time.sleep(1000)
        if BEHAVIOUR == "fork and exit":
            os._exit(4)
        time.sleep(1000)
    elif BEHAVIOUR == "flood stderr":
        flood(2, b"noise\n" * 10000, 1 << 30)
        write("the end of it\n", 2)
    elif BEHAVIOUR == "flood stdout":
        flood(1, b"noise\n" * 10000, 1 << 30)
    elif BEHAVIOUR == "flood answers":
        flood(1, b'{"id":"%s","output":0}\n' % request["id"].encode() * 1000, 1 << 30)
    elif BEHAVIOUR == "huge":
        write(b'{"id":"%s","output":"' % request["id"].encode())
        flood(1, b"x" * 65536, 10 << 20)
        write('"}\n')
        return True
    elif BEHAVIOUR == "slow reader":
        time.sleep(0.5)
    return False


def before_hello():
    if BEHAVIOUR == "banner":
        write("my-gate v2 listening\n")
    elif BEHAVIOUR == "banner without end":
        flood(1, b"x" * 65536, 1 << 30)
    elif BEHAVIOUR == "banner not utf-8":
        write(b"\xff\xfe\n")
    elif BEHAVIOUR == "hello with more":
        write('{"hello":{}}\nready\n')
    elif BEHAVIOUR == "half a hello":
        write('{"hello":')
        os._exit(0)
    elif BEHAVIOUR == "no stdout":
        os.close(1)
        time.sleep(1000)
    elif BEHAVIOUR == "exit at start":
        write("no config\n", 2)
        os._exit(7)


def bye():
    if BEHAVIOUR == "speak after bye":
        write("goodbye!\n")
    elif BEHAVIOUR == "half a word after bye":
        write("good")
    elif BEHAVIOUR == "stay after bye":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    elif BEHAVIOUR == "flood after bye":
        flood(1, b"x" * 65536, 1 << 30)
    elif BEHAVIOUR == "fail at bye":
        os._exit(5)
    elif BEHAVIOUR == "leave a child" and os.fork() == 0:
        time.sleep(1000)
    os._exit(0)


def main():
    before_hello()
    held = []
    for line in sys.stdin:
        message = json.loads(line)
        if "hello" in message:
            write('{"hello":{"protocol":1}}\n')
        elif "bye" in message:
            bye()
        elif BEHAVIOUR == "backwards":
            # ten at a time, the last first
            held.append(message)
            if len(held) == 10:
                while held:
                    answer(held.pop())
        elif BEHAVIOUR == "second first" and message["id"] == ID:
            held.append(message)
        elif ID not in (None, message["id"]) or not misbehave(message):
            answer(message)
            while held:
                answer(held.pop())


main()
