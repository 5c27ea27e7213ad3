"""Answers every chat call at once with the same reply: what is left is the cost of asking.

Run it as ``python benchmarks/zero_latency_server.py [PORT]``; it prints its base URL and serves
until it is killed. It reads requests by their Content-Length and keeps connections open.
"""

import asyncio
import json
import sys

_BODY = json.dumps(
    {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "B"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1},
    }
).encode()
_REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(_BODY),
    _BODY,
)
_LENGTH = b"content-length:"
_HEAD_END = b"\r\n\r\n"


class _CannedReplies(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._received = b""
        self._body_left = 0

    def data_received(self, data: bytes) -> None:
        # Bodies are counted, not kept: with pictures in them they are megabytes.
        while data:
            skipped = min(self._body_left, len(data))
            self._body_left -= skipped
            data = data[skipped:]
            if self._body_left:
                return
            if skipped:
                self._transport.write(_REPLY)
            self._received += data
            head_end = self._received.find(_HEAD_END)
            if head_end < 0:
                return
            _, _, after = self._received[:head_end].lower().partition(_LENGTH)
            self._body_left = int(after.split(b"\r\n", 1)[0] or 0)
            data = self._received[head_end + len(_HEAD_END) :]
            self._received = b""
            if not self._body_left:
                self._transport.write(_REPLY)


async def serve(port: int) -> None:
    """Serve on that port of the loopback, or on a free one if it is 0."""
    server = await asyncio.get_running_loop().create_server(_CannedReplies, "127.0.0.1", port)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
