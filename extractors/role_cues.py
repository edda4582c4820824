"""The words before a mention that tell what a paper does with it."""

from __future__ import annotations

import re

_WORDS = r"(?:[\w.%-]+ )"
_CUES = {
    "compares_with": rf"""
        outperform\w*|surpass\w*|exceed(?:s|ed|ing)?|superior to|versus|vs\.?|unlike
        |in contrast (?:to|with)
        |(?:\w+er|more|less|worse|fewer|greater) {_WORDS}{{0,5}}?than|than
        |compar\w+ (?:[\w-]+ ){{0,3}}?(?:with|to|against)|comparisons? (?:[\w-]+ ){{0,3}}?(?:with
        |to|of|between|against)
        |baselines?(?: such as| like| including|,)?|competitive (?:with|to)
        |on par with|close to|comes? within|comparable {_WORDS}?(?:to|with)
        |improv\w* (?:[\w.%-]+ ){{0,3}}?(?:up)?over|improv\w* upon|beat(?:s|ing)?|as opposed to
        |(?:improvements?|gains?|gain|speed-?ups?|reduction|margin) {_WORDS}{{0,5}}?over
        |alternatives? to|(?:rather than|instead of)(?: \w+ing)?|relative to|ahead of""",
    "compares_with__weak": r"""
        compar(?:e|es|ing)|with respect to|against|match(?:es|ing)?|above|below|behind|equals?
        |\d%? (?:for|with|by|of)|over""",
    "uses": rf"""
        based on|bas(?:es|ing) on|(?:build|builds|built|building|relies|rely|relying
        |draws?) (?:up)?on
        |using|uses?|via|by means of|leverag\w+|employ\w*|utili[sz]\w*|adopt\w*
        |appl(?:y|ies|ying)(?! {_WORDS}{{1,4}}?to\b)|incorporat\w+|integrat\w+
        |combin\w+|exploit\w*|extend(?:s|ing)?|extended
        |inspired by|powered by|modification of|variants? of|extensions? (?:of|to)|version of
        |adapt(?:s|ing)?|initiali[sz]ed (?:with|from)|with the help of|prompt(?:s|ing)?
        |instantiat\w+|implement\w* (?:with|in|as|for)|trained (?:with|by|via)|equipp\w+ with
        |(?:re)?formulat\w+ {_WORDS}{{1,6}}?as|cast\w* {_WORDS}{{1,3}}?as
        |resort\w* to|advantage of|on top of|replac\w+ {_WORDS}{{1,4}}?(?:with|by)|generali[sz](?:es
        |ation of)
        |(?:applications?|use|usage|adoption|integration|incorporation) of
        |written (?:by|in)|encoded (?:with|by)|collected from|crawled from|drawn from|taken from
        |extracted from|derived from|sourced from|retrieved from|definitions from|falls back on""",
    "mentions": r"""
        without(?: \w+ing)?|(?:do|does|did) not (?:need|require|rely on|use)|no longer
        |need(?:s|ed)? for|independent of|free of|avoid\w*""",
    "uses__weak": r"""
        with(?! \d)|by(?! \d)|through|into an?|as an?|train(?:s|ed|ing)?|pre-?train\w*
        |fine-?tun(?:e|es|ing)|distill(?:s|ed|ing)? (?:from|into)|connections? (?:to|between|with)
        |from|added to|follow(?:s|ing)?|implicitly|includ(?:es|ing)|contain(?:s|ing)
        |consist(?:s|ing) of|compris(?:es|ing)
        |(?:ensemble|combination|mixture|series|stack|family|class|type|form|kind) of""",
    "studies": r"""
        stud(?:y|ies|ied|ying)|analy[sz]\w+|investigat\w+|explor\w+|examin\w+|understand\w*
        |characteri[sz]\w+
        |revisit\w*|assess\w*|prob(?:e|es|ing)|address\w*|tackl\w+|focus\w* on
        |(?:propert(?:y|ies)|limitations?|capabilit(?:y|ies)|abilit(?:y|ies)|behaviou?rs?
        |robustness|effectiveness
        |impact|effects?|role|understanding|evaluation|analysis|theory|performance|safety|problem
        |task|question|activations
        |survey|reviews?|view|expressiveness|bias(?:es)?) of|in the context of|bounds? (?:for|on)
        |convergence (?:of|for)|guarantees? for|analysis for|perspective on|delv\w+ into|solv\w+
        |evaluat(?:e|es|ing)|steer(?:s|ing)?|(?:enhanc|accelerat)\w+|improv(?:e|es|ing)
        |we (?:also )?(?:test|benchmark|fine-?tune|carry out|consider)
        |optimi[sz](?:e|ing)|perform(?:s|ing)?|recipe for|train \d+|we compare
        |compare (?:the|two|three|four|five|six)""",
    "studies__weak": r"for|towards?|across|among",
    "studies__last": r"of|in|within",
    "evaluates_on": rf"""
        evaluat\w+ {_WORDS}{{0,6}}?(?:on|using|with|over|across)
        |experiments? {_WORDS}{{0,4}}?(?:on|with|over|across|in|using)
        |test(?:s|ed|ing)? {_WORDS}{{0,4}}?on|results? {_WORDS}{{0,4}}?(?:on|for|in)
        |validat\w+ {_WORDS}{{0,5}}?(?:on|with|using)|demonstrat\w+ {_WORDS}{{0,8}}?on
        |performance {_WORDS}{{0,3}}?(?:on|in|for|across)|benchmark(?:ed|ing)? {_WORDS}{{0,5}}?on
        |state-of-the-art {_WORDS}{{0,3}}?(?:on|in)|benchmarks?,?|datasets?,?
        |(?:achiev|improv|outperform|surpass|accura|verif|gain|scor|reduc|BLEU|F1
        |reach)\w* {_WORDS}{{0,8}}?(?:on|across)
        |appl(?:y|ies|ied|ying) {_WORDS}{{0,4}}?to|case stud(?:y|ies) (?:on|in|with)|conducted on
        |reported on|on""",
}
_WRAP = re.compile(r"\s*\n\s*")
CUE = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(f"(?P<{name}>{_WRAP.sub('', cues)})" for name, cues in _CUES.items())
    + r")(?![\w-])",
    re.IGNORECASE,
)
"""Cues by the role that they speak for, which is the group's name up to ``__``.

A weak one (a preposition, mostly) does not reach over a comma; the last resort is the genitive,
which leaves the word to the verb: "leverages the power of X".
"""

CLAUSE = re.compile(
    r"[;:]\s|,\s(?=(?:we|our|this)\s)|,?\s(?:that|which|where|while|whereas|but|whose|because|although"
    r"|so that|and (?:show|demonstrate|prove|find|we|then|it))\s"
)
"""Where a clause begins, beyond which no cue reaches."""

OWN = re.compile(
    r"\b(?:we|our|ours|us|this (?:paper|work|article|study|research|thesis|approach|method"
    r"|framework|model)|the proposed|the paper|the authors|here|experiments?|experimental"
    r"|empirically)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"\A\W*(?:recent(?:ly)?|existing|previous|prior|most|many|current|traditional|conventional"
    r"|several|typically|although|while (?:existing|recent|previous|most))\b"
    r"|\b(?:previous work|prior work|existing (?:methods|approaches|works?|models))\b",
    re.IGNORECASE,
)
MAKES = re.compile(
    r"\b(?:we|paper|work|article),?(?: [a-z]+,?){0,2} (?:propose|introduce|develop|design)s?\b"
    r"|\bour (?:proposed )?(?:method|approach|framework|model|algorithm|technique|architecture)\b",
    re.IGNORECASE,
)
BUILT_UPON = re.compile(
    r"\b(?:based|bas(?:es|ing)|buil(?:t|ds?|ding)) (?:up)?on\b|\b(?:inspired by|leverag"
    r"|incorporat|integrat"
    r"|extension|variant of|modification of)",
    re.IGNORECASE,
)
FIRST_PERSON = re.compile(r"\b(?:we|our)\b", re.IGNORECASE)
RESULT = re.compile(
    r"\b(?:experiment|evaluat|outperform|achiev|result|state-of-the-art|benchmark|test|improv"
    r"|accura"
    r"|reach|attain|gain|surpass|exceed|better|faster|higher|lower|compar)|\d(?:\.\d+)?\s?%|\d\.\d"
    r"|\d\s(?:points|times)\b",
    re.IGNORECASE,
)
IS_USED = re.compile(
    r"(?:\s*\([^()]{1,60}\))?(?:,[^,.;]{1,60},)?\s+(?:[\w-]+\s)?"
    r"(?:is|are|was|were|(?:can|could|may) be)\s+(?:then\s|also\s|[a-z]+ly\s)?"
    r"(?:used|employed|leverag\w*|adopted|applied|utili[sz]ed|integrated|combined|incorporated"
    r"|exploited)\b"
)
FOR_COMPARISON = re.compile(
    r"(?:\s+baselines?\b|[^.;]{0,50}\b(?:for (?:comparison|reference)"
    r"|as an? (?:[a-z]+ )?(?:baseline|reference))\b"
    r"|[^.;]{0,40}\bas baselines\b)"
)
PLAIN_COMPARISON = re.compile(r"compar(?:ed|ison)|versus|vs|against|baseline", re.IGNORECASE)
IN_SUBJECT = re.compile(
    r"(?:\s*\([^()]*\))?\s+(?:only\s|still\s)?(?:reach|attain|obtain|achiev|los|sav|wins?|gets?"
    r"|drops?|scores?|retains?"
    r"|stays?|lags?|follows)\w*\b"
)
IN_PROPOSAL = re.compile(
    r"\b(?:propos|introduc|present|develop|design|devis)(?:e|es|ed|ing|s)?\s+(?:an?|the|our|two|three)\s+"
    r"(?:(?!for\b|to\b|of\b|that\b|on\b|in\b|with\b)[\w-]+,?\s+){0,4}?\Z"
    r"|\bour\s+(?:(?:novel|new|proposed|simple|final)\s+)?\Z",
    re.IGNORECASE,
)
"""Inside of the words for what is proposed: "we propose an enhanced clustering method"."""

FINDING = re.compile(
    r"\b(?:show|find|establish|observe|demonstrate|prove|reveal|highlight|suggest|indicate|report)s?"
    r"\s+that\b",
    re.IGNORECASE,
)
IN_LIST = re.compile(r"(?:,|\band|\bas well as)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,2}\Z")
NOT_THESE = re.compile(
    r"\b(?:rather than|instead of|unlike|outperform\w*|surpass\w*|than|compared (?:to|with)"
    r"|existing|previous|prior|traditional|conventional|state-of-the-art)\b[^,;:]{0,60}\Z",
    re.IGNORECASE,
)
EXAMPLE = re.compile(r"\b(?:such as|e\.g\.,?|like|including)\s[^.;:()]{0,80}\Z", re.IGNORECASE)
THESE = re.compile(
    r"\b(?:these|such|those|both)\s+(?:[a-z-]+\s)?(?:models?|methods?|layers?|architectures?|networks?"
    r"|algorithms?|techniques?|approaches|systems?|estimators?|optimi[sz]ers?)\b",
    re.IGNORECASE,
)
"""Words that take up the methods of the sentence before."""

USED_PART = re.compile(r"[-–](?:based|driven|guided|powered|style)\b")
TITLE_CUES = re.compile(
    r"\b(?:(?P<uses>via|with|using|by|through|based on|leveraging|from|meets?|as|over)"
    r"|(?P<compares_with>vs\.?|versus|beyond|against|than|outperforms?|without)"
    r"|(?P<studies>for|of|in|on|to|towards?|into|and|under|improv\w+|understanding))"
    r"\s+(?:[\w-]+\s+){0,3}?\Z",
    re.IGNORECASE,
)
