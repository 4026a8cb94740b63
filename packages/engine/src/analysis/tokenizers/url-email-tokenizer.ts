// uax_url_email: the words of the standard tokenizer, and in one piece URLs and e-mail addresses. At each place the longest
// reading wins; of equal ones, the address.

import type { Token } from '../analyzer.ts';
import type { Tokenizer } from '../chain.ts';
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts';

const LABELS = /[A-Za-z0-9](?:-*[A-Za-z0-9])*(?:\.[A-Za-z0-9](?:-*[A-Za-z0-9])*)*/y;
const IPV4 = /(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d?\d)/y;
const FULL_URL =
  /https?:\/\/(?:(?:[-._~A-Za-z0-9!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*@)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:-*[A-Za-z0-9])*(?:\.[A-Za-z0-9](?:-*[A-Za-z0-9])*)*)(?::\d{1,5})?(?:\/(?:[-._~A-Za-z0-9;:@&=]|%[0-9A-Fa-f]{2})*)*(?:\?(?:[-._~A-Za-z0-9!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[-._~A-Za-z0-9!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?/iy;
const FILE_URL =
  /(?:ftp:\/\/(?:(?:[-._~A-Za-z0-9!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*@)?[A-Za-z0-9](?:-*[A-Za-z0-9])*(?:\.[A-Za-z0-9](?:-*[A-Za-z0-9])*)*(?::\d{1,5})?|file:\/\/(?:[A-Za-z0-9](?:-*[A-Za-z0-9])*(?:\.[A-Za-z0-9](?:-*[A-Za-z0-9])*)*)?)(?:\/(?:[-._~A-Za-z0-9?:@&=]|%[0-9A-Fa-f]{2})*)+(?:;type=[aid])?(?:#(?:[-._~A-Za-z0-9!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?/iy;
/** What may follow a host that has no scheme before it. */
const BEHIND_HOST =
  /(?::\d{1,5})?(?:\/(?:[-._~A-Za-z0-9;:@&=]|%[0-9A-Fa-f]{2})*)*(?:\?(?:[-._~A-Za-z0-9!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[-._~A-Za-z0-9!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?/y;
const LOCAL_PART = /[A-Za-z0-9!#$%&'*+\-./=?^_`{|}~]+/y;
const BRACKETED = /\[[^\0\t\n\r[\\\]\x80-\uffff]*\]/y;
const MAILTO = /mailto(?=:)/iy;

interface Found {
  readonly end: number;
  readonly type: '<URL>' | '<EMAIL>' | '<ALPHANUM>';
}

/** No token, and nothing that is looked at for it, is longer than `maxLength`. */
export function urlEmailTokenizer(name: string, standard: Tokenizer, maxLength: number): Tokenizer {
  return {
    name,
    tokenize(text) {
      const tokens: Token[] = [];
      let words = standard.tokenize(text);
      let next = 0;
      for (let at = 0; at < text.length; ) {
        while (next < words.length && words[next]!.end <= at) next++;
        if (next < words.length && words[next]!.start < at) {
          // An address ended within a word: what is behind it is cut anew.
          const from = at;
          words = standard
            .tokenize(text.slice(from))
            .map((word) => ({ ...word, start: word.start + from, end: word.end + from }));
          next = 0;
          continue;
        }
        const word = words[next];
        const found = addressIn(text.slice(at, at + maxLength));
        const isWord = word?.start === at;
        if (found !== undefined && (!isWord || found.type === '<ALPHANUM>' || at + found.end >= word.end)) {
          const end = at + found.end;
          const term = text.slice(at, end);
          tokens.push({ term, start: at, end, position: tokens.length, positionLength: 1, type: found.type });
          at = end;
        } else if (isWord) {
          tokens.push({ ...word, position: tokens.length });
          at = word.end;
        } else at++;
      }
      return tokens;
    },
  };
}

/** The longest address with which a text begins. */
function addressIn(text: string): Found | undefined {
  const url = urlEnd(text);
  const email = emailEnd(text, 0);
  if (email !== undefined && email > (url ?? 0)) return { end: email, type: '<EMAIL>' };
  if (url !== undefined) return { end: url, type: '<URL>' };
  // A scheme before an address is a word of its own.
  const scheme = matchEnd(MAILTO, text, 0);
  if (scheme !== undefined && emailEnd(text, scheme + 1) !== undefined)
    return { end: scheme, type: '<ALPHANUM>' };
  return undefined;
}

function urlEnd(text: string): number | undefined {
  const full = matchEnd(FULL_URL, text, 0) ?? matchEnd(FILE_URL, text, 0);
  if (full !== undefined) return full;
  for (const end of [...domainEnds(text, 0), matchEnd(IPV4, text, 0)]) {
    if (end === undefined) continue;
    const behind = matchEnd(BEHIND_HOST, text, end) ?? end;
    // A host alone ends where no word goes on.
    if (behind > end || !/[-\w]/.test(text[end] ?? ' ')) return behind;
  }
  return undefined;
}

/** Ends of the domains that begin at a place, the longest first. A domain may end with a dot. */
function domainEnds(text: string, at: number): number[] {
  const whole = matchEnd(LABELS, text, at);
  if (whole === undefined) return [];
  const labels = text.slice(at, whole).split('.');
  const ends: number[] = [];
  let end = whole;
  for (let i = labels.length - 1; i > 0; i--) {
    if (TOP_LEVEL_DOMAINS.has(labels[i]!.toLowerCase())) {
      if (text[end] === '.') ends.push(end + 1);
      ends.push(end);
    }
    end -= labels[i]!.length + 1;
  }
  return ends;
}

function emailEnd(text: string, at: number): number | undefined {
  const local = matchEnd(LOCAL_PART, text, at);
  if (local === undefined || text[local] !== '@') return undefined;
  return domainEnds(text, local + 1)[0] ?? matchEnd(BRACKETED, text, local + 1);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
