"""The words by which an abstract reports a result: metrics, numbers, and what joins them.

The patterns are read on a *skeleton*: a sentence in which each number, metric and name is
folded to one character (`QUANTITY`, `METRIC`, …), so that they speak of grammar alone.
"""

from __future__ import annotations

import re

QUANTITY, RANGE, METRIC, DATASET, METHOD, TASK = "\ue000\ue001\ue002\ue003\ue004\ue005"
FOLDED = {"dataset": DATASET, "method": METHOD, "task": TASK}

_HEADS = r"""
    (?:balanced|exact[ -]match|robust)\ accurac(?:y|ies) | (?i:accurac(?:y|ies))\b
  | (?:(?i:macro|micro|weighted|mean|span|token|entity)[ -]?)?(?:averaged?[ -])?
    (?:F[ -]?(?:1|0\.5|2)|F[ -]?(?=[Ss]core|[Mm]easure))(?:[ -]?(?i:scores?|measures?|macro|micro))*
  | f1(?:[ -]?(?:scores?|measures?|macro|micro))* | f-(?:scores?|measures?)
  | (?:[Ss]acre)?BLEU(?:-?[1-4])?\b | ROUGE(?:-?(?:[12]|L(?:sum)?|S[UW]?\d?))?\b | METEOR\b
  | chrF\+* | xCOMET\b | COMET(?:-\d+)? | BLEURT | BERTScore | CIDEr(?:-D)? | SPICE\b | SARI\b
  | (?i:perplexity|perplexities)\b | PPL\b | [WCPST]?(?:WER|CER|TER|EER|PER)s?\b
  | mAP(?:@[\w.:\[\]]+|_?\d+)? | (?:AP|MAP)(?:@?\d+)?\b | [mg]?IoU\b
  | (?:PR-|ROC-|ROC\ )?AUC(?:-?(?:ROC|PR))?s?\b | AUROC | AUPRC | FID\b | FVD\b
  | PSNR | SSIM | LPIPS | s?MAPE\b | RMSE | MSE\b | MAE\b | MRR(?:@\d+)? | n?DCG(?:@\d+)?
  | NDCG(?:@\d+)? | Hits?@\d+ | (?:[Rr]ecall|R|[Pp]recision|P|[Pp]ass|Acc|EM|maj|cons)@[\dkK]+\b
  | (?i:precision|recall|specificity)\b | sensitivity(?=\ (?:of|and))
  | Dice\b(?:\ (?:[Ss]imilarity\ )?(?:[Ss]core|[Cc]oefficient)s?)? | DSC\b
  | (?:(?:[Cc]ohen|[Ff]leiss)['’]?s?\ )?(?:[Ww]eighted\ )?[Kk]appa(?:\ scores?)?\b
  | (?:Pearson|Spearman|Kendall|Matthews)(?:['’]s)?(?:\ (?:rank|[Tt]au|rho|r))*
    \ [Cc]orrelations?(?:\ [Cc]oefficients?)?
  | [Cc]orrelation(?:\ [Cc]oefficients?)?(?=\ (?:of|=|\())
  | LAS\b | UAS\b | QWK\b | MCC\b | MOS\b | (?i:exact[ -]match)(?:\ (?:scores?|rate))? | BPC\b
  | (?:win|success|completion|hit|detection|recognition|failure|hallucination
    |compression|recovery|acceptance|pass|refusal|response|agreement|collision|violation|solve
    |resolution|error|false[ -](?:positive|negative|alarm)|true[ -]positive|coverage|rejection
    |misclassification|jailbreak(?:ing)?|survival|discovery|validity|retrieval|compliance)
    [ -](?:rate|ratio)s?\b
  | (?:Word|Character|Phoneme|Phone|Diarization|Sentence|Equal|Label|Translation)
    \ (?:[Ee]dit\ |[Ee]rror\ )[Rr]ates?\b
  | [a-z][a-z-]+\ errors?(?=\ (?:of|by|from|is|was|reductions?|to)\b)
  | [A-Za-z][\w-]+\ (?:scores|score)\b(?=\ (?:of|by|from|in|on|for|is|was|and)\b|[,.;:)]|\ [=(]|\Z)
  | [Ss]peed[ -]?ups?\b | [Ll]atency\b | [Tt]hroughput\b | FLOPs\b | QPS\b | FPS\b
  | (?:inference|training|running|execution|computation(?:al)?|processing|decoding|response|wait
    |generation|search|runtime|run|prefill(?:ing)?|reasoning|fine-tuning|simulation|annotation)
    [ -](?:times?|speeds?(?:[ -]ups?)?|costs?|latency|overheads?|efficiency)\b
  | (?:peak\ |GPU\ )*memory\ (?:usage|footprint|consumption|costs?|requirements?|overhead|use)\b
  | (?:compute|communication|labell?ing|API|monetary|sampling)\ (?:costs?|overheads?)\b
  | energy\ (?:consumption|usage|use)\b | (?:token|memory|energy|data|sample)\ efficiency\b
"""
METRIC_NAME = re.compile(rf"(?<![\w@/-])(?:{_HEADS})(?![\w@])", re.VERBOSE)

GENERIC_HEAD = re.compile(
    r"(?:the|an?|of|its|our|their|this|that|with|in|on|to|and|or|by|both|for|final|overall|average"
    r"|mean|high|higher|highest|best|better|top|competitive|good|low|lower|total|similar|same"
    r"|maximum|official|system|state-of-the-art|sota|first|second|new|public|private|test|these"
    r"|all|each|respective|impressive|overall|team|leaderboard|similarity|lowest|raw|benchmark"
    r"|evaluation|performance|only|absolute|relative|strong|scores?|errors?|combined|threshold"
    r"|aggregate|from|we|can|confidence|grammatical|spelling|some|many|more|fewer|few|less"
    r"|type|most|human|annotation|baseline|which|it|model|also|that)\ (?:scores?|errors?)",
    re.IGNORECASE,
)
"""A score or an error of which nothing says what it measures."""

MODIFIER = re.compile(
    r"(?:(?:top-?\d+|rank-?\d+|macro|micro|weighted|unweighted|balanced|classification|test|exact"
    r"|validation|zero-shot|few-shot|one-shot|\d+-shot|word|character|character-level|token-level"
    r"|word-level|sentence-level|span-level|entity-level|segment-level|attack|task|goal|cache|peak"
    r"|length-controlled|joint|robust|adversarial|clean|certified|standard|label|phoneme|normalized"
    r"|smatch|execution|answer|retrieval|prediction|detection|recognition|end-to-end|inference"
    r"|training|sentence|query|query-level|micro-averaged|macro-averaged|relaxed|strict|labeled"
    r"|unlabeled|mean|root|squared|absolute|linear|in-domain|out-of-domain|zero-day|tagging"
    r"|parsing|translation|reconstruction|forecasting|generalization|position|localization"
    r"|adjusted|equal|human|transcription|context|slot|intent|dialogue|verb|span|segmentation|relevance"
    r"|planning|top|downstream)[ -])+\Z",
    re.IGNORECASE,
)
"""Words before a metric that belong to its name."""

VAGUE = re.compile(
    r"^(?:(?:the|an?|its|our|their|overall|average|averaged|high|higher|highest|best|top"
    r"|competitive|impressive|remarkable|state-of-the-art|SOTA|new|final|total|official|maximum"
    r"|strong|respective|absolute|relative|good|corresponding|resulting|original|promising"
    r"|significant|excellent|superior|low|lower|lowest|better) )+(?=\w)",
    re.IGNORECASE,
)
"""Words before a metric that do not tell what is measured."""

_QUALIFIERS = {
    "up to": r"up\ to|as\ (?:much|high|many|large)\ as|at\ most|a\ maximum\ of|maximum\ of|≤|upto",
    "at least": r"at\ least|as\ low\ as|a\ minimum\ of|no\ less\ than|≥",
    "over": r"over|more\ than|above|greater\ than|higher\ than|exceeding|>",
    "under": r"under|less\ than|below|fewer\ than|lower\ than|<",
    "about": r"about|around|approximately|approx\.|nearly|almost|roughly|close\ to|circa|some|~|≈|∼"
    r"|an\ estimated",
}
_UNITS = {
    "percentage points": r"\ ?(?:percentage[ -]points?|percent\ points?|%[ -]?points?|%p\b|pp\b"
    r"|p\.p\.|pts?\ %)|\ ?(?:%|percent)\ (?:in\ )?absolute(?:ly)?\b(?!\ (?:error|values?))"
    r"|\ absolute\ (?:percentage\ )?points?",
    "%": r"\ ?%|\ ?percent\b|\ ?per\ cent\b",
    "points": r"[ -](?:absolute\ )?(?:points?|pts?)\b",
    "×": r"\ ?[×x](?![\w×])|[ -]?folds?\b|\ times\b|\ ?\\times\b",
    "dB": r"\ ?dB\b",
    "ms": r"\ ?ms\b|\ milliseconds?\b",
    "s": r"\ s\b|\ sec(?:ond)?s?\b",
    "FPS": r"\ FPS\b|\ frames\ per\ second\b",
}


def _named(groups: dict[str, str], prefix: str) -> str:
    return "|".join(f"(?P<{prefix}{i}>{words})" for i, words in enumerate(groups.values()))


QUALIFIERS, UNITS = tuple(_QUALIFIERS), tuple(_UNITS)
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_CENT = r"(?:\ ?%|\ percent(?:age\ points?)?|[×x](?!\w)|\ points?|\ times|\ dB)?"
NUMBER = re.compile(
    rf"""(?P<qualifier>(?<!\w)(?:(?:only|just|merely|an\ average\ of|average\ of|a)\ )?
         (?:(?:{_named(_QUALIFIERS, "q")})\ ?)?(?:an?\ )?(?:(?:average|mean)\ of\ )?)?
        (?<![\w.@/_^,])(?<!\w-)(?P<sign>\+\ ?|[-−](?=\d))?
        (?:(?<!from\ )(?P<range>(?:{_NUMBER}){_CENT}\ ?(?:-|–|—|∼|~|\ to\ )\ ?)
         (?=[+\d.])\+?)?
        (?P<value>{_NUMBER})(?:\ ?(?:±|\+/-|\+-)\ ?(?:{_NUMBER}))?
        (?:{_named(_UNITS, "u")})?(?![\w@^]|[.,]\d|-\w|/\d)""",
    re.VERBOSE,
)

_Q, _M = QUANTITY, METRIC
_AND = r"(?: ?, and |,? (?:and|or) (?:an? )?| ?, (?:an? )?| ?/ ?| & |,? as well as (?:an? )?)"
_MS = rf"(?P<ms>{_M}(?: \({_M}\))?(?:{_AND}{_M}(?: \({_M}\))?)*)"
_QS = rf"(?P<qs>{_Q}(?:{_AND}{_Q})*)"
_LAST = (
    rf"(?! (?!(?:on|for|in|at|with|when|over|across|compared|respectively|and|or|to|by|under|using"
    rf"|from|than|as|while|of|if|where|which|after|before|without|is|was|are|were|through|via"
    rf"|among|within|against|versus|vs|relative|absolute|averaged|between|depending|even)\b)"
    rf"[A-Za-z{METRIC}])"
)
_MORE = r" (?:points? )?(?:higher|lower|better|worse|more|less|greater|fewer)\b"
_QE = rf"(?P<qs>{_Q}(?:{_AND}{_Q}{_LAST})*)(?!{_MORE}|{_AND}{_Q}{_MORE})"
_NONE = rf"[^{_Q}{RANGE}{_M};:]"
_ADJ = (
    r"(?:(?:absolute|relative|average|overall|mean|significant|substantial|consistent|further|large"
    r"|additional|notable|remarkable|considerable|impressive|performance|statistically|median|net"
    r"|more|points?|percentage|respective|maximum|total|corresponding|relatively|absolutely"
    r"|worst-case|improved?|dramatic|drastic|up) )*"
)
_DET = (
    r"(?:(?:the|an?|its|their|our|both|all|overall|average|mean|median|model|test|final|absolute"
    r"|relative|terms of|top|downstream) )*"
)

_OVER = r"outperform\w*|out-performs?|surpass\w*|exceed(?:s|ed|ing)?|beat(?:s|ing)?"
_VERBS = {
    "better": r"improv\w+|boost\w*|enhanc\w+|gain\w*",
    "higher": r"increas\w+|rais(?:es?|ed|ing)|rises?|rose|grow(?:s|th)?|jump\w*",
    "lower": r"reduc\w+|decreas\w+|lower(?:s|ed|ing)?|drop\w*|declin\w+|fall(?:s|ing)?|fell"
    r"|cut(?:s|ting)?|sav(?:es?|ed|ings?)|shorten\w*",
    "worse": r"degrad\w+|worsen\w*|underperform\w*|deteriorat\w+",
}
_OTHERS = {
    "better": _OVER + r"|advantage|better|uplift",
    "higher": r"increment|faster|higher|greater|more",
    "lower": r"less|lower",
    "worse": r"worse",
}
CHANGES = {name: f"{_VERBS[name]}|{_OTHERS[name]}" for name in _VERBS}
_CHANGING = "|".join(_VERBS.values())
_CHANGE = rf"(?P<change>\b(?:{_CHANGING})\b)"
_LEADS = rf"(?P<change>\b(?:{_OVER}|{_CHANGING})\b)"
_COMPARED = (
    r"(?P<change>better|higher|lower|worse|less|greater|improved|increased|reduced|decreased)"
)
_GAIN = (
    r"(?P<change>improvements?|gains?|boosts?|increases?|reductions?|decreases?|drops?|declines?"
    r"|degradation|uplift|enhancements?|rise|jump|savings?|increment)\b"
)
_REACHES = (
    r"(?:of|=|:|is|was|are|were|being|to be|reach(?:es|ed|ing)?|equals?|exceeds|exceeding"
    r"|(?:improved|increased|increases|improves|rises|rose|rising|drops|dropped|dropping|fell|falls"
    r"|decreased|decreases|reduced|raised|boosted) (?:significantly |further )?to)"
)
_CAN = r"(?:(?:can|could|will|has|have|also|even|only|often|just|still|value|values) )*"

FROM_TO = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_MS}(?P<gap>{_NONE}{{0,60}}?)(?<!rang)(?<!ranging )(?<!ranges )(?<!varying )"
        rf"\bfrom (?P<old>{_Q})(?: \([^()]*\))? to (?P<qs>{_Q})",
        rf"{_MS} \(from (?P<old>{_Q}) to (?P<qs>{_Q})\)",
        rf"\bfrom (?P<old>{_Q}) to (?P<qs>{_Q}) (?:in )?{_DET}{_MS}",
        rf"\bfrom (?P<old>{_Q}) {_MS} to (?P<qs>{_Q})",
    )
)
"""A metric that goes from one value to another."""

CHANGED = tuple(
    re.compile(pattern)
    for pattern in (
        # improves the accuracy of BERT by 3%
        rf"{_CHANGE} (?P<gap>[^,;:(){_Q}{RANGE}{_M}]{{0,50}}?){_MS}"
        rf"(?:(?!\b(?:{_CHANGING})\b){_NONE}){{0,60}}? by {_QE}"
        rf"(?! (?:points? )?(?:in )?{_M})",
        # accuracy drops by 3%
        rf"{_MS} (?P<gap>(?:(?!but|and|which|while|that|over)[\w-]+ ){{0,4}}?)"
        rf"{_CHANGE} (?:\w+ly |further )?by {_QE}",
        # outperforms BERT by 3.2 BLEU points
        rf"{_LEADS}(?P<gap>(?:(?!\b(?:{_OVER}|{_CHANGING})\b){_NONE}){{0,120}}?)"
        rf" by {_QS} {_ADJ}(?:in |on |for )?{_DET}{_MS}"
        rf"(?P<points> points?)?(?! of {_Q}| {_Q})",
        # a 3% improvement in accuracy
        rf"{_QS} {_ADJ}{_GAIN} (?:in|of|on|for) (?P<gap>[^,;:(){_Q}{RANGE}{_M}]{{0,30}}?){_MS}"
        rf"(?! of {_Q})",
        # a 3% accuracy improvement
        rf"{_QS} {_ADJ}{_MS}(?P<points> points?)? {_ADJ}{_GAIN}",
        # an improvement of 3% in accuracy
        rf"\b{_GAIN} (?:of|by) {_QS} {_ADJ}(?:in |on |for )?{_DET}{_MS}(?P<points> points?)?"
        rf"(?! of {_Q})",
        # an improvement in accuracy of 3%
        rf"\b{_GAIN} (?:in|on|of) {_DET}{_MS}(?P<gap>[^,;:{_Q}{RANGE}{_M}]{{0,40}}?)"
        rf" (?:of|by) {_QE}",
        # accuracy improvements of 3%
        rf"{_MS} {_ADJ}{_GAIN}(?P<gap>(?: (?:over|on|in|for)[^,;:{_Q}{RANGE}{_M}]{{0,40}}?)?)"
        rf" (?:of|by|to|reaching) {_QE}",
        # 3 points higher accuracy, 3 BLEU higher
        rf"{_QS} (?:points? )?{_COMPARED} {_DET}{_MS}",
        rf"{_QS} {_MS}(?P<points> points?)? {_COMPARED}\b",
    )
)
"""By how much a metric differs."""

STATED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_MS}"
        rf"(?P<gap>(?: (?:on|in|for|over|across|among|between)[^,;:(){_Q}{RANGE}{_M}]{{0,50}}?)?)"
        rf"(?: (?:scores?|values?|results?|levels?|performance))? {_CAN}{_REACHES} (?:an? )?{_QE}",
        rf"{_MS} {_QE}(?= ?[,.;)]| (?:in|on|for)\b|\Z)",
        rf"{_MS} ?(?:[=:≈>] ?|\((?:[=:≈] ?|of )?|\[){_QE}(?=[),;.\] ]|\Z)"
        rf"(?! {_ADJ}{_GAIN}| in terms)",
        rf"(?<!\bby )(?<!within )(?<!\bat )(?<!{_Q} ){_QS} "
        rf"(?P<mods>(?:(?:[A-Za-z][\w'’-]*|{TASK}|{DATASET}) ){{0,3}}){_MS}(?P<points> points?)?"
        rf"(?! {_ADJ}(?:{_GAIN}|differences?|gaps?|margins?|deviation|variance|loss|changes?))",
        rf"(?:achiev|obtain|attain|reach|scor)\w* (?:an? )?{_QS} (?:in|for|on) {_DET}{_MS}",
    )
)
"""What value a metric has."""

CONTINUED = re.compile(
    rf"\b(?P<change>{_OVER}|{_CHANGING})\b(?:(?!achiev|obtain|reach|attain|scor|yield)[^;])*"
    rf"\b(?:by|of) {_Q}[^;{_Q}]{{0,80}}(?:and|,) (?:by )?\Z|{_GAIN.replace('change', 'gain')}"
    r"(?: (?!achiev|obtain|reach|attain|scor|yield|with|to\b|and\b|from\b)[a-z]+){0,4} ?\(?\Z"
)
"""What stands before a number that goes on with a list of differences."""

FASTER = re.compile(rf"(?P<qs>{_Q}) (?P<change>faster)\b(?! convergence| rate)")

NO_RESULT = re.compile(
    r"\b(?:requir\w+|needs?|assum\w+|guarantee\w*|confidence|interval|threshold"
    r"|significan(?:ce|t at)"
    r"|with probability|if|target(?:ed)?|aim\w*|retention|set to|chance(?! level))\b[^,]{0,25}\Z"
    r"|\b(?:thresholds? (?:are|is)|desired)\b|\b(?:for|given|under) an? \Z"
)
"""What stands before a number that no one has measured."""

_VERB = (
    r"achiev|obtain|attain|reach|scor|yield|outperform|surpass|improv|increas|reduc|decreas|exceed"
    r"|boost|deliver|provid|enhanc|demonstrat|exhibit|lower|rais|gain|perform|beat|maintain|gett"
    r"|record|lead|result|show|produc|retain|report|drop|has|have|had|gets|gives?|gave|cut|offer"
    r"|ranked|degrad|observ|sav"
)
RESULT_VERB = re.compile(rf"\b(?P<verb>(?:{_VERB})[a-z]*)\b")
LEADING = re.compile(_OVER)
NOT_FINITE = re.compile(r"\w+ing\Z")
NAMED_SUBJECT = re.compile(
    rf"(?P<before>[\w'’-]+ |[,;:.(] ?|\A)(?:[Oo]ur |[Tt]he |[Tt]he proposed |[Oo]ur proposed |, )?"
    rf"(?P<name>{METHOD})(?: \([^()]*\))?(?: (?:model|method|approach|framework|system|algorithm"
    r"|network|architecture|classifier|module|variant|ensemble))?"
    r"(?: (?:also|further|even|can|could|consistently|significantly|still|only|substantially|thus"
    r"|effectively|successfully|is able to|is shown to|not only|already|alone|to|clearly))* \Z"
)
OWN_SUBJECT = re.compile(
    r"(?:\b[Ww]e|\b[Oo]ur (?:\w+ ){0,2}?(?:method|model|approach|framework|system"
    r"|algorithm|network)|\b[Tt]he proposed (?:\w+ )?(?:method|model|approach|framework|system"
    r"|algorithm|network))"
    r"(?: (?:also|further|even|can|could|consistently|significantly|still|only|substantially|then"
    r"|effectively|successfully|is able to|were able to|are able to))* \Z"
)
NOT_SUBJECT = re.compile(
    r"\A(?:based|on|using|with|of|in|from|for|to|by|via|than|over|and|or|as|like|under|against"
    r"|between|both|pre-trained|applying|combining|when|without|into|through|including|called|standard|vanilla|existing|original|baseline)\Z"
)

THAN = re.compile(
    rf"(?:outperform\w*|surpass\w*|beat\w*|exceed\w*|\bthan|\bover|compared (?:to|with)|against"
    rf"|relative to)(?: the| a| standard| vanilla| existing| original| prior| strong| previous"
    rf"| state-of-the-art| baseline| best| current| well-known| popular| plain| recent)*"
    rf" (?P<name>{METHOD})(?= ?[,.;:)(]| (?:by|with|on|in|for|at|across|when|while|under|using|and"
    rf"|or|baseline|model|method|approach)\b|\Z)(?P<after>.{{0,12}})"
)
AGAINST_VALUE = re.compile(
    rf"(?:,? \(?(?:as )?compared (?:to|with)|,? versus| vs\.?|,? against|,? up from)"
    rf" (?:(?:the|a|an|only|just|for|previous|prior|baseline|baseline's|of|state of the art) )*"
    rf"(?:{METHOD}(?:['’]s)? )?(?P<old>{_Q})(?! (?:{_M}|times|fewer|more|parameters))"
)
LISTED = re.compile(rf"(?:,|,? and|,? or|/|,? as well as)? ?(?:and )?{METHOD}")

_NAMES = (
    r"(?P<names>{k}(?: \([^()]*\))?(?:(?: ?, and |,? and | ?, | ?/ ?)(?:the |on |on the )?{k}"
    r"(?: \([^()]*\))?)*)"
)
_INTO = (
    r"\b(?P<into>on|for|in|across|over)"
    r" (?:[\w'’-]+ ){0,4}?"
)
AFTER = {
    kind: re.compile(rf"(?P<lead>[^;:{_Q}{RANGE}]{{0,60}}?){_INTO}{_NAMES.format(k=char)}")
    for kind, char in FOLDED.items()
}
BEFORE = {
    kind: re.compile(rf"(?:\A|[,;:] |that )(?:[Ff]or|[Oo]n|[Ii]n|[Ww]hen evaluated on|evaluated on)"
                     rf" (?:[\w'’-]+ ){{0,3}}?{_NAMES.format(k=char)}")
    for kind, char in FOLDED.items()
}  # fmt: skip
NOT_HERE = re.compile(r"\b(?:while|whereas|but|which|trained|using|when|after|from|based)\b")
ELSEWHERE = re.compile(r"\b(?:and|while|whereas|but|,) (?:for|on|in) ")
COUNTS = re.compile(
    r" (?!(?:on|for|in|at|with|when|over|across|compared|respectively|and|or|to|by|under|using|from"
    r"|than|as|while|of|if|where|which|after|before|without|is|was|are|were|through|via|among"
    r"|within|against|versus|vs|averaged|between|even|but|outperform\w*|both|\w+ing|\w+ly)\b)[A-Za-z]"
)
TASK_NAME = re.compile(r"\d|[A-Z]{2,}-[A-Z]|[a-z][A-Z]")
TASK_FOLLOWS = re.compile(r" (?:shared )?(?:task|challenge|competition)")
TRAINED = re.compile(
    r"(?:train|tun|learn|adapt|transfer|built|based|generat|distill)\w*(?: \w+){0,2} \Z"
)
