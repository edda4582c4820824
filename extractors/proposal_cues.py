"""The words around a name that tell that a paper proposes it."""

from __future__ import annotations

import re

from extractors.words import words

_VERB = (
    r"(?:propos|introduc|present|develop|describ|design|devis|releas|construct|build|creat"
    r"|contribut|formulat|establish|offer|provid|collect|deriv|unveil|put(?:s|ting)? forward|curat"
    r"|construct|contribut|publish|open-sourc|suggest|annotat|compil|launch|built|put forth)"
)
_ADVERBS = (
    r"(?:[a-z]+ly|then|also|here|thus|further|first|hence|therefore|next|now|instead|will"
    r"|in turn),?\s+"
)
_SUBJECT = (
    r"(?:\b[Ww]e|\b[Tt]his (?:[\w-]+ )?(?:paper|work|article|study|thesis|report|letter)"
    r"|\b[Tt]he (?:present )?(?:paper|authors?)|\band|\bby|\bvia|\bthrough|,|\bto|\bI)"
)
ACTIVE = re.compile(
    rf"{_SUBJECT},?\s+(?:(?:{_ADVERBS}|in this (?:paper|work|article|study),?\s+))*"
    rf"{_VERB}(?:e|es|s|ed|ing)?\b(?! that\b)(?:\s+and\s+{_VERB}(?:e|es|s|ed|ing)?\b)?\s+"
)
SURE_SUBJECT = re.compile(r"\b(?:we|this|the|I)\b", re.IGNORECASE)
CALL = re.compile(
    r"(?:\b(?:called|named|dubbed|termed|designated as|coined|denoted(?: as| by)?"
    r"|(?:is|are) referred to as"
    r"|entitled|titled"
    r"|(?:which|that|what|and) we (?:[a-z]+ly )?(?:call|name|term|dub|denote(?: as| by)?)"
    r"|we (?:[a-z]+ly )?(?:refer to|call|name|term|dub) (?:it|this|our|them"
    r"|the)(?: [a-z-]+){0,4}? (?:as )?"
    r"|which we refer to as|we refer to as|coin(?:ed)?(?: as)?|(?:hereafter|hereinafter|henceforth)"
    r"|abbreviated as|namely|i\.e\.,?|short for)[,:]?|[—–:]|\s-)\s*(?:the\s+)?[\"'“‘*]*\Z"
)
CALL_SURE = re.compile(r"(?:call|nam|dub|term|coin|refer|titl|hereafter|henceforth)", re.IGNORECASE)
TAKEN = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|fine-?tun\w+|employ\w*|adopt\w*|leverag\w+|utili[sz]\w+)\b[^,;]*\Z"
)
"""The model that is named is somebody else's: "we use a model called X"."""

STOP = re.compile(
    r"[.;]\s|(?<![\w-])(?:that|which|who|whose|where|wherein|when|to|for|based|built|using|by|via|with|from"
    r"|under|without|on|in|into|of|at|over|through|upon|against|across|within|consisting|including"
    r"|leveraging|capable|aimed|aiming|designed|inspired|because|since|while|whereby|so|as)\b"
)
OWN = re.compile(
    r"\b(?:[Oo]ur|[Tt]he proposed|[Oo]ur proposed|[Oo]ur new|[Oo]ur novel|[Tt]he resulting"
    r"|[Tt]he newly proposed)\s+(?:(?!(?:on|of|in|with|for|over|to|using|from|by|via|than|and|at"
    r"|fine-?tuned|(?:pre-?|re)?trained|best|best-performing|baselines?)\s)"
    r"[a-z-]+\s+){0,2}?[\"“'(]?\Z"
)
PASSIVE = re.compile(
    r"(?:\s*\([^()]{1,60}\))?,?\s+(?:is|are|was|were)\s+(?:then\s+|also\s+|further\s+|first\s+)?"
    r"(?:proposed|introduced|presented|developed|put forward|described|devised)\b(?! (?:by"
    r"|in) [A-Z])"
)
HERE = re.compile(
    r"(?:\s*\([^()]{1,60}\))?,?\s+(?:which is\s+|as\s+)?(?:proposed|introduced|presented"
    r"|developed|described)"
    r"\s+(?:here|below|in this (?:paper|work|article|study)|by us)\b"
)
IS_NEW = re.compile(
    r"(?:\s*\([^()]{1,60}\))?,?\s+(?:(?:is|are)\s+)?(?:a|an|the first|our)\s+(?:[a-z-]+,?\s+){0,2}?"
    r"(?:novel|new|simple|first|large-scale|unified|general|lightweight|end-to-end|efficient"
    r"|publicly"
    r"|framework|method|approach|algorithm|dataset|benchmark|corpus|toolkit|model)\b"
)
RESULT = re.compile(
    r"(?:\s*\([^()]{1,60}\))?\s+(?:[a-z]+ly\s+|also\s+|can\s+|not only\s+)*(?:outperforms?"
    r"|achieves?|improves?"
    r"|surpass(?:es)?|exceeds?|yields?|attains?|reduces?|obtains?|consists? of|leverages?|enables?"
    r"|significantly|consistently|delivers?|beats?|establishes|sets|introduces?|employs?"
    r"|exhibits?)\b"
)
EVIDENCE = re.compile(
    r"\b(?:experiment\w*|results?|evaluat\w+|we (?:[a-z]+ly )?(?:show|demonstrate|find|prove"
    r"|verify|validate)"
    r"|demonstrat\w+|shows?|empirical\w*|theor\w+|analys\w+|findings?)\b",
    re.IGNORECASE,
)
APPOSITION = re.compile(
    r"\s*(?:\([^()]{1,80}\))?[\"”’'*]*\s*[,:–—-]\s*((?:an?|the|our|which is|one of)\s[^.;:]{3,120})"
)
FOLLOWING = re.compile(r"[\s-]+((?:[a-z-]+[ ]?){1,3})")
CODE = re.compile(
    r"(?:github|gitlab|huggingface)\.(?:com|co|io)/(?:datasets/)?[\w.-]+/([\w.+-]*\w)"
)
TITLE = re.compile(r"\s*[\"“'‘]?([^\s:][^:]{0,60}?)[\"”'’]?\s*(?::|\s[–—-])\s+(\S.+)", re.DOTALL)
STUDIES = words(
    """results result experiments experiment analysis analyses study studies evaluation evaluations
    survey review overview comparison evidence investigation findings insights performance
    examples applications theory proof proofs tutorial submission participation team teams"""
)
OF_A_STUDY = re.compile(
    r"\b(?:experiments?|results|evidence|comparisons?|findings|analys[ei]s|insights)\b",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"(?:[a-z]+ly\s+)?(?:(?:the|a|an|our|both|two|three|four|new|novel|first)\s+)*[\"“'‘*]*"
)
CONJUNCTION = re.compile(r"(?:,\s*(?:and|or|as well as)?|\s(?:and|or|as well as)\b|[:—])\s*")
IN_BRACKETS = re.compile(r"\s*\(([^()\s]{2,16})\)")
SINGLE_WORD = re.compile(
    r"(?:the\s+)?([A-Z][\w-]{2,})(?=\s*(?:[,(:.–—]|\Z|and\b|that\b|which\b|to\b|for\b))"
)
CALLED_WORD = re.compile(
    r"(?:called|named|dubbed|termed|designated as|name it|call it)[\s,:]+"
    r"[\"“'‘]?([A-Z][\w-]+)(?![\w(-])"
)
VERB = re.compile(_VERB)
COIN_VERB = (
    r"(?:propos|introduc|present|develop|describ|design|devis|defin|formulat|formali[sz]|coin"
    r"|suggest)(?:e|es|ing|s)?"
)
"""The verbs that may bring a name in lower case; a release or a study has a name of its own."""
ADJECTIVE = re.compile(r"[^\s-]+(?:-[^\s-]+)+(?:ive|al|ate|ic|ous|able|ible|ed|ant|ent)")
