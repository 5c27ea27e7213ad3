"""What speech recognisers write where nobody speaks: closing phrases and credits, as patterns.

Recognisers learnt from subtitles of online videos, which end in thanks, appeals to subscribe and
the subtitler's name; on silence or music they write those. The patterns list the few words that
carry such a phrase in each language, not whole phrases, so that other wordings are met too. They
apply to sentences as ``noise.py`` plainly spells them: case folded, without punctuation, one space
between words, ``©`` as a word of its own.
"""

import re
from typing import Final

_THANKS: Final = (
    r"thanks?(?: you)?|thank y\w+|gracias|muchas gracias|merci|obrigad[oa]s?|grazie"
    r"|(?:vielen )?dank|danke|tusen takk|takk|tack|tak"
    r"|kiitos|bedankt|dank (?:u|je)|dziękuj\w+|dzięki|děkuj\w+"
    r"|ďakujem|köszön\w+|mulțumesc|mulţumesc|hvala"
    r"|teşekkür\w*|спасибо|дякую|благодар\w+|ευχαριστ\w+"
    r"|terima kasih|makasih|salamat|cảm ơn|cám ơn|شكرا\w*"
    r"|متشکر\w*|ممنون|תודה|धन्यवाद|शुक्रिया|ধন্যবাদ"
    r"|நன்றி|ధన్యవాదాలు|ಧನ್ಯವಾದಗಳು|നന്ദി|ขอบคุณ|សូមអរគុណ|감사합니다"
    r"|고맙습니다|谢谢|謝謝|多谢|多謝|感谢|感謝"
    r"|(?:ご視聴|ご清聴)?ありがとう|ご視聴"
)
_WATCHING: Final = (
    r"watch|view|listen|attention|video|vidéo|vídeo|regard|assist|guarda|zuschau|zuseh"
    r"|aufmerksamkeit|titta|så på|så med|se med|menonton|izle"
    r"|просмотр|внимание|перегляд|xem|시청|視聴|清聴"
    r"|观看|觀看|收看|聆听|مشاهد|katso|bekijken|kijken|oglądan|sledován|nézt"
)
_SUBSCRIBE: Final = (
    r"subscri|suscri|abonn|abonier|abonați|inscrev|iscriv|prenumer|subskryb|odebír|подпис"
    r"|підпис|abone ol|langganan|đăng ký|구독|チャンネル登録|订阅|訂閱|اشترك|सब्सक्राइब"
)
_UNTIL_NEXT_TIME: Final = (
    r"(?:i ll |we ll |and )*(?:see|catch) you\b|(?:we|i) ll be (?:right )?back|to be continued"
    r"|bye(?: bye)*$|sampai jumpa|bis zum nächsten|bis bald|à la prochaine|à bientôt"
    r"|hasta la próxima|hasta luego|nos vemos|até a próxima"
    r"|até o próximo|alla prossima|vi ses|vi sees|ses i næste"
    r"|do zobaczenia|до новых встреч|до встречи|до свидания|продолжение следует|görüşürüz"
    r"|görüşmek üzere|hẹn gặp lại|다음 (?:영상|시간|주)에"
    r"|次(?:回|の動画)|また(?:次回|お会い)|下(?:期|次)再[见見]|我们下(?:期|次)|إلى اللقاء"
)

INVENTED_PHRASES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"请不吝点赞[ 订阅转发打赏支持明镜与点栏目]*",
        rf"^(?:(?:and|so|ok|okay|oh|well|bye|hey|hello) )*(?:{_THANKS}).{{0,45}}$",
        rf"^(?=.{{0,120}}$)(?=.*\b(?:{_THANKS})).*(?:{_WATCHING}).*$",
        rf"^(?=.{{0,150}}$).*(?:{_SUBSCRIBE}).*$",
        rf"^(?:{_UNTIL_NEXT_TIME}).{{0,50}}$",
        rf"(?:thank you|thanks)(?: so much| very much)? for (?:{_WATCHING})\w*",
        rf"(?<!\S)(?:{_THANKS})$",
        r"(?<!\S)(?:storbritannia|nå er vi (?:i|på) norsk\w*)",
    )
)
"""Closing phrases of online videos: what a pattern matches was not said."""

_CREDIT: Final = (
    r"©|copyright|amara org|subtitl(?:es|ed|ing)|closed caption\w*|caption(?:s|ed|ing) by"
    r"|transcri(?:bed|ption|pt) by|translat(?:ed|ion) by|sous titr\w+|untertitel\w*|undertekst\w*"
    r"|undertext\w*|tekst(?:ing|et) av|ondertitel\w*|titulky|napisy|tekstitys|felirat\w*"
    r"|(?:autore dei |revisione )?sottotitol\w+|(?:re)?legendas? (?:por|pela|de|em)|legendado"
    r"|subtítul\w+|altyazı\w*|(?:редактор |автор )?субтитр\w*|корректор|переклад \w+|phụ đề"
    r"|(?:中文|繁体|繁體|简体|中英)?字幕|(?:한글|한국어)? ?자막|ترجمة نانسي|תרגום|作詞|作曲|編曲"
)
CREDITS: Final = (re.compile(rf"(?<!\w)(?:{_CREDIT})\S{{0,30}}(?: \S+){{0,6}}"),)
"""A subtitler's or rights owner's credit: the word that marks one, and the names behind it."""

_SOUND: Final = (
    r"musi[ck]\w*|musikk|musique|música|muzyka|müzik|музык\w*|музика|applause|applaus|applausi"
    r"|аплодисменты|laugh(?:ter|s)|смех|音楽|拍手|音乐|音樂|掌声|掌聲"
    r"|음악|박수|موسيقى|на иностранном языке"
)
SOUND_DESCRIPTIONS: Final = (
    re.compile(rf"^(?:\S+ ){{0,2}}(?:{_SOUND})(?: \S+)?$"),
    re.compile(r"^(?:\S+ )?musikk\b"),
)
"""A caption of a few words that names a sound: "dramatic music"."""
