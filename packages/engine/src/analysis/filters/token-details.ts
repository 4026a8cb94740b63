// Filters that look at more of a token than its term: its type, its neighbours at the same position, or what follows a
// delimiter in it.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';
import { listParam, textParam } from '../params.ts';
import { changeTerms } from './term-filter.ts';

/** Drops tokens that have been at their position before. */
export function removeDuplicates(name: string): TokenFilter {
  return {
    name,
    apply(tokens) {
      let position = -1;
      const seen = new Set<string>();
      const kept = tokens.filter((token) => {
        if (token.position !== position) seen.clear();
        position = token.position;
        if (seen.has(token.term)) return false;
        seen.add(token.term);
        return true;
      });
      return setPositionCount(kept, positionCountOf(tokens));
    },
  };
}

/** Keeps or drops tokens of some types. */
export function keepTypes(name: string, params: JsonObject): TokenFilter {
  const types = listParam(params, 'types') ?? [];
  if (types.length === 0) throw illegalArgument('keep_types requires `types` to be configured');
  const mode = textParam(params, 'mode') ?? 'include';
  if (mode !== 'include' && mode !== 'exclude') {
    throw illegalArgument(
      `\`keep_types\` tokenfilter mode can only be [include] or [exclude] but was [${mode}].`,
    );
  }
  const set = new Set(types);
  return {
    name,
    apply: (tokens) =>
      changeTerms(tokens, ({ term, type }) => (set.has(type) === (mode === 'include') ? term : undefined)),
  };
}

/** Undoes what the classic tokenizer keeps: dots of acronyms, and possessives. */
export function classicFilter(name: string): TokenFilter {
  return {
    name,
    apply: (tokens) =>
      changeTerms(tokens, ({ term, type }) => {
        if (type === '<APOSTROPHE>' && /'[sS]$/.test(term)) return term.slice(0, -2);
        return type === '<ACRONYM>' ? term.replaceAll('.', '') : term;
      }),
  };
}

/** The delimiter of a filter: one character. */
function delimiterOf(params: JsonObject): string {
  return textParam(params, 'delimiter')?.at(0) ?? '|';
}

/** Cuts `|` and what follows from each term, and keeps it as its payload. */
export function delimitedPayload(name: string, params: JsonObject): TokenFilter {
  const delimiter = delimiterOf(params);
  const encoding = textParam(params, 'encoding');
  const encode = encoding === 'int' ? intBytes : encoding === 'identity' ? textBytes : floatBytes;
  return {
    name,
    attributes: ['payload'],
    apply: (tokens) =>
      changeTerms(tokens, (token) => {
        const at = token.term.indexOf(delimiter);
        if (at < 0) return token.term;
        token.payload = encode(token.term.slice(at + 1));
        return token.term.slice(0, at);
      }),
  };
}

/** Keeps the type of each token as its payload. */
export function typeAsPayload(name: string): TokenFilter {
  return {
    name,
    attributes: ['payload'],
    apply(tokens) {
      for (const token of tokens) token.payload = textBytes(token.type);
      return tokens;
    },
  };
}

/** Cuts `|` and the number behind it from each term: how often the term counts. */
export function delimitedTermFrequency(name: string, params: JsonObject): TokenFilter {
  const delimiter = delimiterOf(params);
  return {
    name,
    setsFrequencies: true,
    apply: (tokens) =>
      changeTerms(tokens, (token) => {
        const at = token.term.indexOf(delimiter);
        if (at < 0) return token.term;
        const frequency = int(token.term.slice(at + 1));
        if (frequency < 1) throw illegalArgument(`Term frequency must be 1 or greater; got ${frequency}`);
        token.frequency = frequency;
        return token.term.slice(0, at);
      }),
  };
}

function int(text: string): number {
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= -2147483648 && number <= 2147483647) return number;
  throw new EngineError('number_format_exception', text === '' ? 'chars length is 0' : 'Unable to parse');
}

function intBytes(text: string): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(int(text));
  return bytes;
}

function floatBytes(text: string): Uint8Array {
  const number = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?\s*$/.test(text)
    ? Number.parseFloat(text)
    : Number.NaN;
  if (Number.isNaN(number)) {
    throw new EngineError(
      'number_format_exception',
      text.trim() === '' ? 'empty String' : `For input string: "${text}"`,
    );
  }
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(number);
  return bytes;
}

function textBytes(text: string): Uint8Array {
  return Buffer.from(text);
}
