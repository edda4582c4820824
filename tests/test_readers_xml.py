"""XML bibliographies: each source's fields, what is broken, and what is hostile."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kg.clean import clean_text
from kg.errors import InputError, KGError
from kg.model import Record, Skipped
from kg.readers import find_reader, iter_records, read_papers, xml_stream
from kg.readers.arxiv import arxiv_id
from kg.readers.files import from_text
from kg.readers.xml_stream import find_elements, root_name

SHARED = Path(__file__).parents[2] / "shared"
FOLDERS = ("acl_xml", "arxiv_atom", "crossref_xml_jats", "pubmed_xml")


def read(xml: str | bytes) -> list[Record | Skipped]:
    file = from_text(xml, "a.xml")
    return list(find_reader(file.head, file.name).read(file))


def record(xml: str | bytes) -> Record:
    (found,) = read(xml)
    assert isinstance(found, Record)
    return found


def reasons(xml: str | bytes) -> list[tuple[int, str]]:
    return [(s.source.line, s.reason) for s in read(xml) if isinstance(s, Skipped)]


# arXiv

ENTRY = """<entry>
  <id>http://arxiv.org/abs/2301.00001v3</id>
  <published>2023-01-01T00:00:00Z</published><updated>2024-06-01T00:00:00Z</updated>
  <title>Light
    on water</title>
  <summary>  We see $x^2$ &amp; more.  </summary>
  <author><name>Ada Moth</name><arxiv:affiliation>Fen</arxiv:affiliation></author>
  <author><name>Ben Fly</name></author>
  <link title="pdf" href="http://arxiv.org/pdf/2301.00001v3" rel="related"/>
  <link href="http://arxiv.org/abs/2301.00001v3" rel="alternate"/>
  <arxiv:doi>10.5555/light</arxiv:doi>
</entry>"""


def feed(*entries: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom">\n<title>a query</title>\n'
        + "\n".join(entries)
        + "\n</feed>"
    )


def test_an_entry_of_arxiv() -> None:
    found = record(feed(ENTRY))
    assert (found.title, found.abstract) == ("Light on water", "We see $x^2$ & more.")
    assert found.authors == ("Ada Moth", "Ben Fly")
    assert (found.year, found.venue, found.doi) == (2023, "arXiv", "10.5555/light")
    assert (found.identifier, found.source.line) == ("2301.00001", 4)
    assert found.url == "http://arxiv.org/abs/2301.00001v3"


def test_an_error_of_the_api_is_no_paper() -> None:
    error = "<entry><id>http://arxiv.org/api/errors#x</id><summary>bad id</summary></entry>"
    assert reasons(feed(error)) == [(4, "an error of the arXiv API: bad id")]


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("http://arxiv.org/abs/hep-th/9901001v2", "hep-th/9901001"),
        ("oai:arXiv.org:0704.0001", "0704.0001"),
        ("arXiv:2301.00001", "2301.00001"),
        ("https://example.org/abs/1", ""),
    ],
)
def test_ids_of_arxiv(text: str, identifier: str) -> None:
    assert arxiv_id(text) == identifier


def oai(metadata: str, header: str = "<identifier>oai:arXiv.org:0704.0001</identifier>") -> str:
    return (
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record>'
        f"<header>{header}</header>{metadata}</record></ListRecords></OAI-PMH>"
    )


def test_the_metadata_of_arxiv_by_oai() -> None:
    found = record(
        oai(
            '<metadata><arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>0704.0001</id>'
            "<created>2007-04-02</created><updated>2009-01-01</updated><authors><author>"
            "<keyname>Moth</keyname><forenames>Ada</forenames><suffix>Jr</suffix></author>"
            "</authors><title>Light</title><journal-ref>Fen 1, 2</journal-ref>"
            "<abstract>We look.</abstract></arXiv></metadata>"
        )
    )
    assert (found.title, found.abstract, found.authors) == ("Light", "We look.", ("Ada Moth Jr",))
    assert (found.year, found.venue, found.identifier) == (2007, "Fen 1, 2", "0704.0001")


def test_dublin_core_by_oai() -> None:
    found = record(
        oai(
            '<metadata><oai_dc:dc xmlns:oai_dc="o" xmlns:dc="d"><dc:title>Light</dc:title>'
            "<dc:creator>Moth, Ada</dc:creator><dc:creator>Fly, Ben</dc:creator>"
            "<dc:description>Comment: 3 pages</dc:description>"
            "<dc:description>We look.</dc:description>"
            "<dc:date>2009-01-01</dc:date><dc:date>2007-04-02</dc:date>"
            "<dc:identifier>http://arxiv.org/abs/0704.0001</dc:identifier>"
            "<dc:identifier>doi:10.5555/light</dc:identifier></oai_dc:dc></metadata>"
        )
    )
    assert (found.abstract, found.authors) == ("We look.", ("Ada Moth", "Ben Fly"))
    assert (found.year, found.doi) == (2007, "10.5555/light")
    assert found.url == "http://arxiv.org/abs/0704.0001"


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (oai("").replace("<header>", '<header status="deleted">'), "deleted at its archive"),
        (oai("<metadata/>"), "no metadata"),
        (oai("<metadata><mods/></metadata>"), "metadata of the format 'mods'; harvest oai_dc"),
        ("<OAI-PMH><error>bad token</error></OAI-PMH>", "an error of the archive: bad token"),
    ],
)
def test_what_an_archive_does_not_give(xml: str, reason: str) -> None:
    assert reasons(xml) == [(1, reason)]


# PubMed


def pubmed(article: str, citation: str = "", data: str = "") -> str:
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" '
        '"https://example.org/nothing.dtd">\n<PubmedArticleSet><PubmedArticle><MedlineCitation>'
        f'<PMID Version="1">77</PMID><Article>{article}</Article>{citation}</MedlineCitation>'
        f"<PubmedData>{data}</PubmedData></PubmedArticle></PubmedArticleSet>"
    )


def test_a_structured_abstract_keeps_its_labels_and_loses_its_markup() -> None:
    found = record(
        pubmed(
            "<ArticleTitle>On <i>Apis</i> and H<sub>2</sub>O.</ArticleTitle><Abstract>"
            '<AbstractText Label="AIMS">To see (\n  <i>A. mellifera</i>) &eacute;.</AbstractText>'
            '<AbstractText Label="UNLABELLED">We saw 10\n  <sup>-3</sup>.</AbstractText>'
            '<AbstractText Label="NONE"/><CopyrightInformation>Ours</CopyrightInformation>'
            "</Abstract>"
        )
    )
    assert clean_text(found.title) == "On Apis and H2O."
    assert clean_text(found.abstract) == "AIMS: To see (A. mellifera) é. We saw 10⁻³."
    assert (found.identifier, found.url) == ("77", "https://pubmed.ncbi.nlm.nih.gov/77/")


def test_names_of_persons_and_groups() -> None:
    found = record(
        pubmed(
            '<AuthorList Type="authors"><Author><LastName>Moth</LastName><ForeName>Ada B'
            "</ForeName><Suffix>Jr</Suffix><Initials>AB</Initials></Author><Author>"
            "<CollectiveName>The <i>Fen</i> Group</CollectiveName></Author><Author><LastName>Fly"
            "</LastName><Initials>C</Initials></Author></AuthorList>"
            '<AuthorList Type="editors"><Author><LastName>No</LastName></Author></AuthorList>'
        )
    )
    assert found.authors == ("Ada B Moth Jr", "The Fen Group", "C Fly")


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("<Year>2001</Year><Month>May</Month>", 2001),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", 1998),
        ("<MedlineDate>Winter</MedlineDate>", 2002),
    ],
)
def test_the_year_of_an_issue(date: str, year: int) -> None:
    journal = f"<Journal><JournalIssue><PubDate>{date}</PubDate></JournalIssue>"
    title = "<Title>J of Bees</Title></Journal><ArticleDate><Year>2002</Year></ArticleDate>"
    found = record(pubmed(journal + title))
    assert (found.year, found.venue) == (year, "J of Bees")


def test_the_doi_is_that_of_the_article_and_not_of_its_references() -> None:
    refs = (
        '<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.5555/other'
        "</ArticleId></ArticleIdList></Reference></ReferenceList>"
    )
    own = '<ArticleIdList><ArticleId IdType="doi">10.5555/own</ArticleId></ArticleIdList>'
    invalid = '<ELocationID EIdType="doi" ValidYN="N">10.5555/bad</ELocationID>'
    assert record(pubmed(invalid, data=refs + own)).doi == "10.5555/own"
    assert record(pubmed(invalid, data=refs)).doi == ""


def test_translated_titles_keywords_and_retractions() -> None:
    found = record(
        pubmed(
            "<ArticleTitle>[Bees at night].</ArticleTitle><VernacularTitle>Bienen</VernacularTitle>"
            "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType>"
            "</PublicationTypeList>",
            '<KeywordList Owner="NLM"><Keyword>Heading</Keyword></KeywordList>'
            '<KeywordList Owner="NOTNLM"><Keyword>night</Keyword></KeywordList>'
            '<OtherAbstract Language="ger"><AbstractText>Wir sehen.</AbstractText></OtherAbstract>',
        )
    )
    assert (found.title, found.abstract) == ("Bees at night", "Wir sehen.")
    assert (found.keywords, found.warnings) == (("night",), ("retracted",))


def test_a_chapter_of_a_book() -> None:
    found = record(
        "<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>9</PMID><ArticleIdList>"
        '<ArticleId IdType="doi">10.5555/ch</ArticleId></ArticleIdList><Book><BookTitle>Bees'
        "</BookTitle><PubDate><Year>2011</Year></PubDate></Book><ArticleTitle>Hives</ArticleTitle>"
        "<Abstract><AbstractText>We look.</AbstractText></Abstract></BookDocument>"
        "</PubmedBookArticle></PubmedArticleSet>"
    )
    assert (found.title, found.venue, found.year) == ("Hives", "Bees", 2011)
    assert (found.abstract, found.doi) == ("We look.", "10.5555/ch")


# EndNote


def test_a_record_of_endnote() -> None:
    def style(text: str, face: str = "normal") -> str:
        return f'<style face="{face}" font="default" size="100%">{text}</style>'

    found = record(
        "<xml><records><record><rec-number>5</rec-number><ref-type name='Journal Article'>17"
        f"</ref-type><contributors><authors><author>{style('Moth, Ada')}</author><author>"
        f"{style('Fen Institute,')}</author></authors></contributors><titles><title>"
        f"{style('CO')}{style('2', 'subscript')}{style(' on ')}{style('Apis', 'italic')}</title>"
        f"<secondary-title>{style('J of Bees')}</secondary-title></titles><dates><year>"
        f"{style('2015')}</year></dates><keywords><keyword>{style('night&#xD;light')}</keyword>"
        f"</keywords><abstract>{style('We see 10')}{style('3', 'superscript')}.</abstract><urls>"
        "<pdf-urls><url>internal-pdf://1.pdf</url></pdf-urls><related-urls><url>"
        "https://example.org/b</url></related-urls></urls><electronic-resource-num>"
        "10.5555/bee</electronic-resource-num></record></records></xml>"
    )
    assert found.title == "CO2 on Apis"
    assert clean_text(found.abstract) == "We see 10³."
    assert found.authors == ("Ada Moth", "Fen Institute")
    assert (found.year, found.venue, found.doi) == (2015, "J of Bees", "10.5555/bee")
    assert found.keywords == ("night", "light")
    assert (found.identifier, found.url) == ("5", "https://example.org/b")


# Crossref

ARTICLE = """<journal><journal_metadata><full_title>{journal}</full_title></journal_metadata>
<journal_issue><publication_date><year>2001</year></publication_date></journal_issue>
<journal_article><titles><title>Peat</title><subtitle>A history</subtitle></titles>
<contributors><organization sequence="first" contributor_role="author">Fen Group</organization>
<person_name contributor_role="author"><given_name>Ada</given_name><surname>Moth</surname>
</person_name><person_name contributor_role="editor"><surname>No</surname></person_name>
</contributors><jats:abstract abstract-type="graphical"><jats:p>A picture.</jats:p></jats:abstract>
<jats:abstract><jats:title>Abstract</jats:title><jats:p>We dig
<jats:inline-formula><jats:alternatives><jats:tex-math>$$x^2$$</jats:tex-math><mml:math><mml:msup>
<mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></jats:alternatives>
</jats:inline-formula>.</jats:p></jats:abstract>{date}
<doi_data><doi>10.5555/peat</doi><resource>https://example.org/peat</resource></doi_data>
<citation_list><citation><doi>10.5555/cited</doi></citation></citation_list>
</journal_article></journal>"""


@pytest.mark.parametrize(
    "cover",
    [
        "<crossref_result><query_result><body><query><doi_record><crossref>{}</crossref>"
        "</doi_record></query></body></query_result></crossref_result>",
        "<doi_batch><head/><body>{}</body></doi_batch>",
    ],
)
def test_an_article_of_crossref(cover: str) -> None:
    dates = "".join(f"<publication_date><year>{y}</year></publication_date>" for y in (2003, 2002))
    found = record(cover.format(ARTICLE.format(journal="Fen", date=dates)))
    assert (found.title, clean_text(found.abstract)) == ("Peat: A history", "We dig x².")
    assert found.authors == ("Fen Group", "Ada Moth")
    assert (found.year, found.venue) == (2002, "Fen")
    assert found.doi == found.identifier == "10.5555/peat"
    assert found.url == "https://example.org/peat"


def test_each_journal_of_a_deposit_names_its_own_articles() -> None:
    body = ARTICLE.format(journal="Fen", date="") + ARTICLE.format(journal="Bog", date="")
    book = "<book><book_metadata><titles><title>Moss</title></titles></book_metadata>"
    chapter = "<content_item><titles><title>Leaves</title></titles></content_item></book>"
    preprint = "<posted_content><titles><title>Early</title></titles></posted_content>"
    found = read(f"<doi_batch><body>{body}{book}{chapter}{preprint}</body></doi_batch>")
    assert [(r.title, r.venue, r.year) for r in found if isinstance(r, Record)] == [
        ("Peat: A history", "Fen", 2001),
        ("Peat: A history", "Bog", 2001),
        ("Moss", "", None),
        ("Leaves", "Moss", None),
        ("Early", "", None),
    ]


def test_what_crossref_did_not_find_is_counted() -> None:
    query = "<query status='unresolved'><doi>10.5555/no</doi><msg>DOI not found</msg></query>"
    assert reasons(f"<crossref_result>{query}</crossref_result>") == [
        (1, "Crossref found nothing: DOI not found")
    ]


# ACL Anthology


def collection(papers: str, collection: str = "2031.fen", volume: str = "main") -> str:
    return (
        f'<collection id="{collection}"><volume id="{volume}" type="proceedings"><meta>'
        "<booktitle>Proceedings of <fixed-case>F</fixed-case>en</booktitle><editor><last>No</last>"
        f"</editor><year>2031</year></meta>{papers}</volume><event id='fen-2031'><meta><title>"
        "Not a volume</title></meta></event></collection>"
    )


PAPER = """<paper id="3"><title><fixed-case>GPT</fixed-case>s count to <tex-math>10^2</tex-math>
</title><author><first>Ada</first><last>Moth</last><affiliation>Fen</affiliation></author><author>
<first/><last>Mononym</last></author><abstract>We show <i>that</i> <tex-math>k</tex-math>NN
is <b>it</b>.</abstract><url hash="1">2031.fen-main.3</url><doi>10.5555/fen.3</doi>
<video href="x.mp4"/><revision id="1" href="r">A new <b>section</b>.</revision></paper>"""


def test_a_paper_of_the_anthology() -> None:
    found = record(collection(PAPER))
    assert clean_text(found.title) == "GPTs count to 10²"
    assert clean_text(found.abstract) == "We show that kNN is it."
    assert found.authors == ("Ada Moth", "Mononym")
    assert (found.year, found.venue) == (2031, "Proceedings of Fen")
    assert (found.identifier, found.doi) == ("2031.fen-main.3", "10.5555/fen.3")
    assert found.url == "https://aclanthology.org/2031.fen-main.3/"


def test_front_matter_and_talks_are_counted() -> None:
    talk = "<talk><title>Keynote</title><speaker><last>Moth</last></speaker></talk>"
    front = "<frontmatter><url>x</url></frontmatter>"
    assert [reason for _, reason in reasons(collection(front + PAPER + talk))] == [
        "front matter, without a title and an abstract",
        "a talk, no paper: 'Keynote'",
    ]
    titled = record(collection("<frontmatter><title>Foreword</title></frontmatter>"))
    assert (titled.title, titled.identifier) == ("Foreword", "2031.fen-main.0")


@pytest.mark.parametrize(
    ("name", "volume", "identifier"),
    [("P18", "1", "P18-1003"), ("W19", "7", "W19-0703"), ("D19", "50", "D19-5003")],
)
def test_ids_of_the_old_kind(name: str, volume: str, identifier: str) -> None:
    assert record(collection(PAPER, name, volume)).identifier == identifier


def test_a_retracted_paper_is_kept_and_warned_of() -> None:
    paper = '<paper id="1"><title>T</title><retracted date="2032-01-01">Wrong.</retracted></paper>'
    assert record(collection(paper)).warnings == ("retracted",)


# Broken and hostile


def test_what_was_read_before_a_break_is_kept() -> None:
    broken = feed(ENTRY, ENTRY, "<entry><id>x</entry>", ENTRY)
    found = read(broken)
    assert [isinstance(item, Record) for item in found] == [True, True, False]
    assert reasons(broken) == [(28, "the XML ends here: mismatched tag")]


def test_a_file_that_was_cut_off_says_so() -> None:
    (line, reason) = reasons(feed(ENTRY)[:-30])[0]
    assert reason == "the XML ends here: no element found"
    assert line > 4


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
def test_encodings(encoding: str) -> None:
    title = "Über Öl"
    declared = encoding.removesuffix("-sig")
    xml = f'<?xml version="1.0" encoding="{declared}"?>\n' + collection(
        f'<paper id="1"><title>{title}</title></paper>'
    )
    assert record(xml.encode(encoding)).title == title


@pytest.mark.parametrize("encoding", ["utf-16", "zlib_codec", "unicode_escape", "utf-7", "no-such"])
def test_an_encoding_that_cannot_be_true_is_not_believed(encoding: str) -> None:
    xml = f'<?xml version="1.1" encoding="{encoding}"?>' + collection(PAPER)
    assert record(xml).identifier == "2031.fen-main.3"


def test_entities_of_html_are_known_and_others_stay() -> None:
    found = record(feed("<entry><title>caf&eacute;&nbsp;x &unknown; &#955;</title></entry>"))
    assert found.title == "café x &unknown; λ"


def test_control_characters_do_not_end_the_file() -> None:
    assert record(feed("<entry><title>a\x0bb\x01c</title></entry>")).title == "a b c"


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("doctype", "reason"),
    [
        (f'<!DOCTYPE feed [<!ENTITY e0 "ha">{BOMB}]>', "it declares the entity 'e0'"),
        ('<!DOCTYPE feed [<!ENTITY e9 SYSTEM "file:///etc/passwd">]>', "it declares the entity"),
        ('<!DOCTYPE feed [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>', "it declares the ent"),
        ('<!DOCTYPE feed [<!ATTLIST entry x CDATA "y">]>', "it declares a default for the attr"),
    ],
)
def test_a_file_that_declares_entities_is_refused(doctype: str, reason: str) -> None:
    xml = doctype + "<feed><entry><title>&e9;</title></entry></feed>"
    (found,) = reasons(xml)
    assert found[1].startswith(f"the XML ends here: {reason}")


def test_an_outer_dtd_is_not_fetched() -> None:
    doctype = '<!DOCTYPE feed SYSTEM "file:///etc/passwd">'
    assert record(doctype + "<feed><entry><title>T</title></entry></feed>").title == "T"


@pytest.mark.parametrize("inner", [f"<title>{'<b>' * 300}", "<b>" * 300])
def test_absurd_nesting_ends_the_file(inner: str) -> None:
    assert "nested deeper than 128" in reasons(feed(ENTRY, f"<entry>{inner}"))[-1][1]


@pytest.mark.parametrize("tag", ["b", "p", "a", "sup", "math", "mrow", "msup", "inline-formula"])
def test_deep_markup_is_read(tag: str) -> None:
    deep = f"<{tag}>" * 120 + "x" + f"</{tag}>" * 120
    assert "x" in record(collection(f"<paper id='1'><title>{deep}</title></paper>")).title


@pytest.mark.parametrize("inner", ["x" * 100_000, "<b/>" * 5000, f'<b c="{"x" * 100_000}"/>'])
def test_a_record_that_is_too_large_harms_no_other(
    inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml_stream, "LONGEST", 1 << 16)
    found = read(feed(ENTRY, f"<entry><title>{inner}</title></entry>", ENTRY))
    assert [isinstance(item, Record) for item in found] == [True, False, True]
    assert isinstance(found[1], Skipped)
    assert (found[1].source.line, found[1].reason) == (16, "the record is larger than 16 MiB")


@pytest.mark.parametrize("run", [" ", "\n", "(\n", r"\begin{document}", "10.5555/", " and ", ","])
def test_a_long_run_of_one_thing_takes_no_more_than_its_length(run: str) -> None:
    run *= 300_000
    paper = f"<paper id='1'><title>a{run}<sub>b</sub><tex-math>{run}</tex-math></title></paper>"
    assert record(collection(paper)).identifier == "2031.fen-main.1"
    metadata = f"<dc><creator>{run}</creator><identifier>{run} x</identifier></dc>"
    assert record(oai(f"<metadata>{metadata}</metadata>")).doi == ""


def test_a_tag_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "LONGEST", 1 << 16)
    monkeypatch.setattr(xml_stream, "_CHUNK", 1 << 12)
    (found,) = reasons(f'<feed><entry x="{"y" * 300_000}"/></feed>')
    assert found[1] == "the XML ends here: a tag or comment is longer than 16 MiB"


def test_many_records_need_no_more_memory_than_one() -> None:
    class Many(io.RawIOBase):
        left = 300

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return (ENTRY * 20).encode() if self.left > 0 else b"</feed>" * (self.left == 0)

    head = b"<feed>"
    stream: Any = Many()
    stream.read, plain = (
        lambda size=-1: stream.parts.pop() if stream.parts else plain(),
        stream.read,
    )
    stream.parts = [head]
    tracemalloc.start()
    count = sum(1 for _ in find_elements(stream, frozenset({"entry"})))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 299 * 20
    assert peak < 2_000_000


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("<a/>", "a"),
        ("\ufeff\n<?xml version='1.0'?>\n<!-- <b> --><!DOCTYPE c [<!ELEMENT c ANY>]>\n<x:d>", "d"),
        ("no <a>", ""),
        ("<!-- a -->" * 5000, ""),
        ("<?a" * 20_000, ""),
    ],
)
def test_the_name_of_the_root(head: str, name: str) -> None:
    assert root_name(head) == name


@pytest.mark.parametrize("xml", ["<html><p>x</p></html>", "<rss/>", "<collection/>", "<records/>"])
def test_other_xml_is_refused_by_name(xml: str) -> None:
    with pytest.raises(InputError, match="which is not read"):
        read(xml)


TAGS = st.sampled_from(
    ["entry", "title", "record", "metadata", "dc", "paper", "meta", "abstract", "math", "mfrac"]
)


@st.composite
def elements(draw: st.DrawFn, depth: int = 4) -> str:
    tag = draw(TAGS)
    text = draw(st.text("ab &<>]", max_size=5)).replace("&", "&amp;").replace("<", "&lt;")
    inner = "".join(draw(st.lists(elements(depth - 1), max_size=3))) if depth else ""
    return f"<{tag}>{text.replace('>', '&gt;')}{inner}</{tag}>"


ROOTS = [
    ("<feed>", "</feed>"),
    ("<OAI-PMH>", "</OAI-PMH>"),
    ("<xml><records>", "</records></xml>"),
    ("<collection><volume>", "</volume></collection>"),
    ("<doi_batch>", "</doi_batch>"),
    ("<PubmedArticleSet>", "</PubmedArticleSet>"),
]


@given(inner=elements(), root=st.sampled_from(ROOTS), size=st.integers(1, 50))
@settings(max_examples=150)
def test_any_elements_are_read_and_the_chunks_change_nothing(
    inner: str, root: tuple[str, str], size: int
) -> None:
    xml = root[0] + inner + root[1]
    try:
        whole = read(xml)
    except InputError:  # the records of nobody
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_stream, "_CHUNK", size)
        assert read(xml) == whole


@given(st.integers(0, 2000), st.binary(max_size=4))
def test_damage_is_told_and_never_raised(place: int, damage: bytes) -> None:
    xml = feed(ENTRY, ENTRY).encode()
    try:
        found = read(xml[:place] + damage + xml[place + len(damage) :])
    except KGError:
        return
    assert len(found) <= 4


@pytest.mark.shared
def test_the_account_of_every_real_file_adds_up(shared: Path) -> None:
    files = [file for name in FOLDERS for file in sorted((shared / "formats" / name).iterdir())]
    for path in [*files, *(shared / "formats" / "endnote").glob("*.xml")]:
        records = list(iter_records(path))
        try:
            papers = read_papers(path)
        except KGError:
            assert not any(isinstance(found, Record) for found in records)
        else:
            assert papers.total == len(records)
            assert all(paper.title and paper.authors for paper in papers.papers)
