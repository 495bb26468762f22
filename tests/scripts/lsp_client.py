"""A client of the Language Server Protocol for tests: a process, requests that wait for their answers, and notes that came in between."""
import json
import os
import select
import subprocess
import time

SECONDS = 60


class Failed(Exception):
    """The server answered with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    def __init__(self, program, *args):
        self.process = subprocess.Popen([program, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer = b""
        self.next_id = 1
        self.notifications = []
        self.answers = {}
        self.strays = []  # answers whose id is null

    # ---- Bytes -------------------------------------------------------------------------------------------------------

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read_message(self):
        """The next message; None at the end of the stream."""
        end = time.monotonic() + SECONDS
        while True:
            head, separator, rest = self.buffer.partition(b"\r\n\r\n")
            if separator:
                length = int(head.decode().split(":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the server says nothing")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.buffer += data

    def pump(self):
        """Takes one message to where it belongs. False at the end of the stream."""
        message = self.read_message()
        if message is None:
            return False
        if "method" in message:
            self.notifications.append(message)
        elif message["id"] is None:
            self.strays.append(message)
        else:
            self.answers[message["id"]] = message
        return True

    # ---- Calls -------------------------------------------------------------------------------------------------------

    def start(self, method, params=None):
        """Sends a request and returns its id."""
        number, self.next_id = self.next_id, self.next_id + 1
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return number

    def wait(self, number):
        while number not in self.answers:
            if not self.pump():
                raise EOFError("the server ended")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["result"]

    def request(self, method, params=None):
        return self.wait(self.start(method, params))

    def notify(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)

    def stray(self):
        while not self.strays:
            if not self.pump():
                raise EOFError("the server ended")
        return self.strays.pop(0)["error"]

    def initialize(self, options=None):
        result = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {},
                                             "initializationOptions": options or {}})
        self.notify("initialized", {})
        return result

    def finish(self):
        """shutdown and exit; the exit status."""
        self.request("shutdown")
        self.notify("exit")
        while self.pump():
            pass
        return self.close()

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(SECONDS)
        self.process.stdout.close()
        return status


class Document:
    """An open text in which places are found by what stands there."""

    def __init__(self, client, uri, text):
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cake", "version": 1, "text": text}})

    def offset(self, needle, nth=0):
        at = -1
        for _ in range(nth + 1):
            at = self.text.index(needle, at + 1)
        return at

    def position(self, offset):
        """The position in UTF-16 units."""
        before = self.text[:offset]
        line = before.count("\n")
        return {"line": line, "character": len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2}

    def to_offset(self, position):
        lines = self.text.split("\n")
        start = sum(len(line) + 1 for line in lines[: position["line"]])
        units, i, line = 0, 0, lines[position["line"]]
        while units < position["character"]:
            units += 2 if ord(line[i]) > 0xFFFF else 1
            i += 1
        return start + i

    def at(self, needle, nth=0, inside=0):
        return {"textDocument": {"uri": self.uri}, "position": self.position(self.offset(needle, nth) + inside)}

    def spelled(self, where):
        """The text of a range."""
        return self.text[self.to_offset(where["start"]) : self.to_offset(where["end"])]

    def line(self, where):
        return where["start"]["line"] + 1

    def change(self, needle, new, nth=0):
        """Replaces the text `needle` by an incremental change."""
        begin = self.offset(needle, nth)
        where = {"start": self.position(begin), "end": self.position(begin + len(needle))}
        self.version += 1
        self.text = self.text[:begin] + new + self.text[begin + len(needle) :]
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version},
                                                      "contentChanges": [{"range": where, "text": new}]})

    def applied(self, edits):
        """The text after edits."""
        text = self.text
        for edit in sorted(edits, key=lambda e: self.to_offset(e["range"]["start"]), reverse=True):
            begin, end = self.to_offset(edit["range"]["start"]), self.to_offset(edit["range"]["end"])
            text = text[:begin] + edit["newText"] + text[end:]
        return text

    def diagnostics(self):
        """Those of this version; waits for them."""
        while True:
            for message in reversed(self.client.notifications):
                params = message["params"]
                if message["method"] == "textDocument/publishDiagnostics" and params["uri"] == self.uri:
                    if params["version"] >= self.version:
                        return params["diagnostics"]
                    break
            if not self.client.pump():
                raise EOFError("the server ended")
