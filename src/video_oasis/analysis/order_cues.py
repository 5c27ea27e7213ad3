"""Words that speak of the order or the direction of events."""

from typing import Final

import polars as pl

ORDER_CUES: Final = (
    # Order in time.
    *("order", "orders", "ordering", "sequence", "sequences", "sequential", "sequentially"),
    *("chronological", "chronologically", "before", "after", "afterward", "afterwards", "then"),
    *("next", "first", "firstly", "last", "lastly", "final", "finally", "initial", "initially"),
    *("earlier", "earliest", "later", "latest", "previous", "previously", "prior", "preceding"),
    *("subsequent", "subsequently", "followed by", "eventually", "until"),
    *("begin", "begins", "began", "beginning", "start", "starts", "started", "starting"),
    *("end", "ends", "ended", "ending"),
    # Direction of motion and of change.
    *("direction", "forward", "forwards", "backward", "backwards", "reverse", "reversed"),
    *("left to right", "right to left", "clockwise", "counterclockwise", "counter-clockwise"),
    *("anticlockwise", "anti-clockwise", "toward", "towards", "away from", "upward", "upwards"),
    *("downward", "downwards", "appear", "appears", "disappear", "disappears"),
    *("increase", "increases", "increasing", "decrease", "decreases", "decreasing"),
    *("accelerate", "accelerates", "accelerating", "slow down", "slows down", "slowing down"),
    # Spanish, French and German words that are none in English.
    *("orden", "secuencia", "antes", "después", "luego", "primero", "último", "finalmente"),
    *("ordre", "séquence", "avant", "après", "puis", "ensuite", "d'abord", "enfin"),
    *("reihenfolge", "bevor", "vorher", "danach", "nachdem", "zuerst", "zuletzt", "schließlich"),
)
"""Cues of scripts that set words apart: found as whole words, in lower case."""

UNSPACED_ORDER_CUES: Final = (
    *("顺序", "順序", "之前", "之后", "之後", "以前", "以后", "以後", "然后", "然後", "接着"),
    *("首先", "最先", "最后", "最後", "最终", "最終", "开始", "開始", "结束", "結束", "方向"),
    *("顺时针", "逆时针", "時計回り", "先に", "次に"),
)
"""Cues of scripts that do not: found anywhere."""

_NO_CUES: Final = r"\b(?:in order to|first[ -]person|at first glance|year[ -]end)\b"


def find_order_cues(texts: pl.Series) -> pl.Series:
    """Find the cues in each text, whatever its case and width of letters.

    Returns:
        For each text the different cues it has, as a list of text.
    """
    words = "|".join(sorted(ORDER_CUES, key=len, reverse=True))
    unspaced = "|".join(UNSPACED_ORDER_CUES)
    return (
        texts.str.normalize("NFKC")
        .str.to_lowercase()
        .str.replace_all("’", "'", literal=True)
        .str.replace_all(_NO_CUES, " ")
        .str.extract_all(rf"\b(?:{words})\b|{unspaced}")
        .list.unique(maintain_order=True)
    )
