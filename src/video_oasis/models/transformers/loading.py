"""Loads a model and its processor, and says what is wrong if that cannot be."""

import torch
import transformers

from video_oasis.errors import ModelUnavailable
from video_oasis.models.in_process.processors import load_processor, unreadable
from video_oasis.models.settings import ModelSettings
from video_oasis.models.transformers.generation import LoadedModel
from video_oasis.weights import Weights


def load(model: str, weights: Weights, settings: ModelSettings) -> LoadedModel:
    """Load weights and their processor, ready to answer.

    It changes the number format of the whole process while it runs, so no two may run at once.

    Args:
        model: the model's full name, for messages.
        weights: what to load.
        settings: dtype, device map, processor options and how frames are shown.

    Raises:
        ModelUnavailable: they cannot be loaded, do not suit the settings, or their device is not
            there.
        SettingsError: the processor does not know an option.
    """
    transformers.utils.logging.disable_progress_bar()
    _check_device(model, settings.device_map)
    # A model's own code is not run: weights are data.
    origin = {"revision": weights.commit, "trust_remote_code": False}
    try:
        config = transformers.AutoConfig.from_pretrained(weights.source, **origin)
    except Exception as error:
        raise unreadable(model, "configuration", error) from error
    if type(config) not in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        raise ModelUnavailable(
            f"model {model}: {config.model_type!r} is no kind of model that transformers loads for "
            "images and text; name an image-text model, or serve this one and ask it through "
            "openai/"
        )
    processor, opened = load_processor(model, weights, settings)
    try:
        loaded, found = transformers.AutoModelForImageTextToText.from_pretrained(
            weights.source,
            **origin,
            dtype=settings.dtype,
            device_map=settings.device_map,
            output_loading_info=True,
        )
    except Exception as error:
        raise unreadable(model, "weights", error) from error
    if found["missing_keys"]:
        raise ModelUnavailable(
            f"model {model}: {len(found['missing_keys'])} of its weights are missing, such as "
            f"{min(found['missing_keys'])}, and would be random numbers; get all its files"
        )
    return LoadedModel(model, loaded.eval(), processor, opened, settings)


def _check_device(model: str, device_map: str) -> None:
    for device, is_there in (
        ("cuda", torch.cuda.is_available),
        ("mps", torch.backends.mps.is_available),
    ):
        if device_map.partition(":")[0] == device and not is_there():
            raise ModelUnavailable(
                f"model {model}: device_map is {device_map!r}, and PyTorch {torch.__version__} "
                "finds no such device here; choose another (cpu, or auto for the best there is)"
            )
