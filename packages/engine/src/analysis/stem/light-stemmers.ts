// The light stemmers of Jacques Savoy, which remove inflection only (A Stemming Procedure and Stopword
// List for General French Corpora, 1999, and its sequels for German, Spanish and Italian).

/** Removes the accents that light stemmers ignore. */
function bare(word: string): string {
  return word.replace(/[àáâäèéêëìíîïòóôöùúûü]/g, (c) => c.normalize('NFD')[0]!);
}

/**
 * OpenSearch's german_normalization: ß -> ss; umlauts, and their spellings ae, oe, ue, lose the dots or the
 * e.
 */
export function normalizeGerman(word: string): string {
  let out = '';
  // After a vowel or q a following ue is not an umlaut (Frauen, Quelle).
  let state: 'start' | 'vowel' | 'umlaut' = 'start';
  for (const c of word) {
    if (c === 'a' || c === 'o') {
      state = 'umlaut';
      out += c;
    } else if (c === 'u') {
      state = state === 'start' ? 'umlaut' : 'vowel';
      out += c;
    } else if (c === 'e') {
      if (state !== 'umlaut') out += c;
      state = 'vowel';
    } else if (c === 'i' || c === 'q' || c === 'y') {
      state = 'vowel';
      out += c;
    } else if (c === 'ä' || c === 'ö' || c === 'ü') {
      state = 'vowel';
      out += c === 'ä' ? 'a' : c === 'ö' ? 'o' : 'u';
    } else {
      state = 'start';
      out += c === 'ß' ? 'ss' : c;
    }
  }
  return out;
}

/** Light German. */
export function lightGerman(input: string): string {
  let word = bare(input);
  const before = (at: number): boolean => 'bdfghklmnt'.includes(word.at(at) ?? ' ');
  if (word.length > 5 && word.endsWith('ern')) word = word.slice(0, -3);
  else if (word.length > 4 && /e[mnrs]$/.test(word)) word = word.slice(0, -2);
  else if (word.length > 3 && word.endsWith('e')) word = word.slice(0, -1);
  else if (word.length > 3 && word.endsWith('s') && before(-2)) word = word.slice(0, -1);
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3);
  if (word.length > 4 && /e[rn]$/.test(word)) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('st') && before(-3)) return word.slice(0, -2);
  return word;
}

/** Light Spanish. */
export function lightSpanish(input: string): string {
  if (input.length < 5) return input;
  const word = bare(input);
  if (/[oae]$/.test(word)) return word.slice(0, -1);
  if (!word.endsWith('s')) return word;
  if (word.endsWith('eses')) return word.slice(0, -2);
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`;
  return /[oae]s$/.test(word) ? word.slice(0, -2) : word;
}

/** Light Italian. */
export function lightItalian(input: string): string {
  if (input.length < 6) return input;
  const word = bare(input);
  if (/(?:[ih]e|[hi]i|ia|io)$/.test(word)) return word.slice(0, -2);
  return /[eiao]$/.test(word) ? word.slice(0, -1) : word;
}
