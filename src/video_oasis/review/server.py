"""Listens for the browser."""

import socket
from contextlib import suppress
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp

from video_oasis.errors import SettingsError
from video_oasis.review.guard import Access


def listen(host: str, port: int | None, usual_port: int) -> socket.socket:
    """Take a port to listen on.

    Args:
        host: the address.
        port: the port; 0 for any that is free. None for the usual one, or any free one if that is
            taken.
        usual_port: the usual one.

    Raises:
        SettingsError: the address or the port cannot be had.
    """
    if port is None:
        with suppress(SettingsError):
            return listen(host, usual_port, usual_port)
        port = 0
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise SettingsError(
            f"cannot listen on {host} port {port} ({error}); give another with --host or --port, "
            f"--port 0 for any that is free"
        ) from error


def write_link(access: Access, listener: socket.socket) -> str:
    """Return the link that lets someone in."""
    host = f"[{access.host}]" if ":" in access.host else access.host
    port = listener.getsockname()[1]
    return f"http://{host}:{port}/?{urlencode({'token': access.token})}"


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Make the server of an application, quiet but for what goes wrong."""
    return uvicorn.Server(
        uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", ws="none")
    )
