"""Benchmarks: released question files, and how each becomes samples.

A benchmark (``interface``) is a name, a group and a function that reads a folder of annotation
files into rows: samples, open questions and bad rows, none left out. It knows nothing of
diagnostics and models. Each is one file in this folder: find the files
(``annotations.files``), say which column is what (``annotations.rows.Parts``), and the rest is
shared. Another package adds one by an entry point in the group ``video_oasis.benchmarks`` that
names its ``Benchmark``. A user's own file needs no code: ``generic`` reads it by a mapping of
columns. ``loading`` reads any of them whole.
"""

from typing import Final

from video_oasis.benchmarks.interface import Benchmark
from video_oasis.registry import Registry

BENCHMARKS: Final[Registry[Benchmark]] = Registry(
    "benchmark",
    {
        "activitynet-qa": "video_oasis.benchmarks.activitynet_qa:ACTIVITYNET_QA",
        "egoschema": "video_oasis.benchmarks.egoschema:EGOSCHEMA",
        "implicitqa": "video_oasis.benchmarks.implicitqa:IMPLICITQA",
        "longvideobench": "video_oasis.benchmarks.longvideobench:LONGVIDEOBENCH",
        "lvbench": "video_oasis.benchmarks.lvbench:LVBENCH",
        "minerva": "video_oasis.benchmarks.minerva:MINERVA",
        "mlvu": "video_oasis.benchmarks.mlvu:MLVU",
        "mmr-v": "video_oasis.benchmarks.mmr_v:MMR_V",
        "msrvtt-qa": "video_oasis.benchmarks.msrvtt_qa:MSRVTT_QA",
        "msvd-qa": "video_oasis.benchmarks.msvd_qa:MSVD_QA",
        "mvbench": "video_oasis.benchmarks.mvbench:MVBENCH",
        "rtv-bench": "video_oasis.benchmarks.rtv_bench:RTV_BENCH",
        "tgif-qa": "video_oasis.benchmarks.tgif_qa:TGIF_QA",
        "tvbench": "video_oasis.benchmarks.tvbench:TVBENCH",
        "vcr-bench": "video_oasis.benchmarks.vcr_bench:VCR_BENCH",
        "video-holmes": "video_oasis.benchmarks.video_holmes:VIDEO_HOLMES",
        "video-mme": "video_oasis.benchmarks.video_mme:VIDEO_MME",
        "vsi-bench": "video_oasis.benchmarks.vsi_bench:VSI_BENCH",
    },
    group="video_oasis.benchmarks",
)
