"""Says sizes in words."""


def describe_bytes(n_bytes: int) -> str:
    """Say a size as people do: ``26.7 GB``, ``405 kB``."""
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6)):
        if n_bytes >= size:
            return f"{n_bytes / size:.1f} {unit}"
    return f"{n_bytes / 1000:.0f} kB" if n_bytes >= 1000 else f"{n_bytes} bytes"
