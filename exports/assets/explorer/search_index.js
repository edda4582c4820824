// What is found for a few words: names of papers and concepts, authors, abstracts.

const searchKey = (text) => folded(text).replace(/[-_\s]/g, " ");
const MOST = { names: 8, authors: 3, abstracts: 5 };
const SLICE = 8; // milliseconds of searching before the page may draw

const isWord = (code) => (code > 47 && code < 58) || (code > 96 && code < 123) || code > 127;

/** Return how a name meets a query: 4 all of it, 3 its start, 2 the start of a word, 1 within, 0 not. */
function fit(name, query) {
  let at = name.indexOf(query);
  if (at < 0) return 0;
  if (at === 0) return name.length === query.length ? 4 : 3;
  for (; at >= 0; at = name.indexOf(query, at + 1)) if (!isWord(name.charCodeAt(at - 1))) return 2;
  return 1;
}

/** The best few of many, kept in order as they come. */
class Best {
  constructor(most) {
    this.most = most;
    this.found = [];
  }

  add(hit) {
    const { found, most } = this;
    const before = (a, b) => a.score > b.score || (a.score === b.score && a.weight > b.weight);
    if (found.length === most && !before(hit, found[most - 1])) return;
    let at = found.length;
    while (at && before(hit, found[at - 1])) at -= 1;
    found.splice(at, 0, hit);
    if (found.length > most) found.pop();
  }
}

class SearchIndex {
  constructor(atlas) {
    this.atlas = atlas;
    this.names = [];
    this.owners = [];
    this.plain = []; // 1 for the name that is shown, 0 for another
    for (let n = 0; n < atlas.N; n += 1) this.enter(n);
    this.people = atlas.people.map(searchKey);
    this.texts = [];
    this.complete = atlas.head.abstracts === "none";
  }

  enter(n) {
    const { atlas } = this;
    const shown = atlas.label(n);
    const others = atlas.isPaper(n) ? [atlas.title(n)] : atlas.concepts.names[n - atlas.P];
    this.put(n, shown, 1);
    for (const name of others) if (name !== shown) this.put(n, name, atlas.isPaper(n) ? 1 : 0);
  }

  put(n, name, plain) {
    this.names.push(searchKey(name));
    this.owners.push(n);
    this.plain.push(plain);
  }

  /** Return what decides among equals: concepts of several papers, then papers, then the rest. */
  weight(n) {
    return this.atlas.isPaper(n) ? 1 + this.atlas.degree[n] / 1e6 : this.atlas.degree[n];
  }

  /** Unpack the abstracts, a block at a time when nothing else is to do. */
  async readAbstracts(onProgress) {
    if (this.complete) return;
    await this.atlas.allTexts((first, texts) => {
      texts.forEach((text, at) => {
        this.texts[first + at] = searchKey(text);
      });
      onProgress(this.texts.length / this.atlas.P);
    });
    this.complete = true;
    onProgress(1);
  }

  /** Return the best papers and concepts, best first: {node, name, score}. */
  findNames(text) {
    const query = searchKey(text.trim());
    if (!query) return [];
    const scores = new Map();
    for (let at = 0; at < this.names.length; at += 1) {
      const met = fit(this.names[at], query);
      if (!met) continue;
      const [n, score] = [this.owners[at], 2 * met + this.plain[at]];
      if (score > (scores.get(n)?.score ?? 0))
        scores.set(n, { node: n, at, score, weight: this.weight(n) });
    }
    if (scores.size < MOST.names) this.addByWords(query, scores);
    const best = new Best(MOST.names);
    for (const hit of scores.values()) best.add(hit);
    return best.found;
  }

  /** Add papers whose title, authors and year hold all the words, in any order. */
  addByWords(query, scores) {
    const words = query.split(" ").filter(Boolean);
    if (words.length < 2) return;
    const starts = (name) => words.map((word) => fit(name, word) > 1);
    const people = this.people.map(starts);
    const { papers } = this.atlas;
    for (let at = 0; at < this.names.length; at += 1) {
      const n = this.owners[at];
      if (scores.has(n)) continue;
      const met = starts(this.names[at]);
      if (!met.includes(true)) continue;
      if (this.atlas.isPaper(n)) {
        for (const person of papers.authors[n])
          people[person].forEach((yes, word) => {
            met[word] ||= yes;
          });
        const year = String(papers.year[n] ?? "");
        words.forEach((word, number) => {
          met[number] ||= word === year;
        });
      }
      if (!met.includes(false)) scores.set(n, { node: n, at, score: 1, weight: this.weight(n) });
    }
  }

  findAuthors(text) {
    const query = searchKey(text.trim());
    if (query.length < 2) return [];
    const words = query.split(" ").filter(Boolean);
    const best = new Best(MOST.authors);
    this.people.forEach((name, author) => {
      const met = Math.max(
        fit(name, query),
        words.length > 1 && words.every((word) => fit(name, word) > 1) ? 2 : 0,
      );
      if (met) best.add({ author, score: met, weight: -author });
    });
    return best.found;
  }

  /** Return {hits: [{node, text}], count} of the abstracts, or null once `stale()` holds. */
  async findAbstracts(text, stale) {
    const query = searchKey(text.trim());
    if (query.length < 3) return { hits: [], count: 0 };
    const best = new Best(MOST.abstracts);
    let [count, since] = [0, performance.now()];
    for (let n = 0; n < this.texts.length; n += 1) {
      const met = this.texts[n] ? fit(this.texts[n], query) : 0;
      if (met) best.add({ node: n, score: Math.min(met, 2), weight: this.atlas.degree[n] });
      count += met ? 1 : 0;
      if (n % 64 || performance.now() - since < SLICE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (stale()) return null;
      since = performance.now();
    }
    const texts = await Promise.all(best.found.map((hit) => this.atlas.text(hit.node)));
    return stale()
      ? null
      : { hits: best.found.map((hit, at) => ({ ...hit, text: texts[at].text })), count };
  }
}

/** Return where a query stands in a text as it is written: [start, end], or null. */
function placeOf(text, query) {
  const key = searchKey(query.trim());
  const [origin, letters] = [[], []];
  for (let at = 0; at < text.length;) {
    const letter = String.fromCodePoint(text.codePointAt(at));
    const plain = searchKey(letter);
    for (let n = 0; n < plain.length; n += 1) origin.push(at);
    letters.push(plain);
    at += letter.length;
  }
  origin.push(text.length);
  const whole = letters.join("");
  let start = whole.indexOf(key);
  for (let at = start; at >= 0; at = whole.indexOf(key, at + 1)) {
    if (at === 0 || !isWord(whole.charCodeAt(at - 1))) {
      start = at;
      break;
    }
  }
  return key && start >= 0 ? [origin[start], origin[start + key.length]] : null;
}
