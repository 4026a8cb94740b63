// path_hierarchy: a path with those above it, or with `reverse` the ends of a path such as a host name.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Token } from '../analyzer.ts';
import type { Tokenizer } from '../chain.ts';
import { boolParam, intParam, textParam } from '../params.ts';

export function pathTokenizer(name: string, params: JsonObject): Tokenizer {
  const delimiter = textParam(params, 'delimiter') ?? '/';
  const replacement = textParam(params, 'replacement') ?? delimiter;
  const skip = intParam(params, 'skip', 0);
  if (delimiter.length !== 1) throw illegalArgument('delimiter must be a one char value');
  if (replacement.length !== 1) throw illegalArgument('replacement must be a one char value');
  const cut = boolParam(params, 'reverse', false) ? endsOf : beginningsOf;
  return {
    name,
    tokenize: (text) =>
      cut(text, delimiter, skip).map(([start, end], position): Token => {
        const term = text.slice(start, end).replaceAll(delimiter, replacement);
        return { term, start, end, position, positionLength: 1, type: 'word' };
      }),
  };
}

function beginningsOf(text: string, delimiter: string, skip: number): [number, number][] {
  const found: [number, number][] = [];
  let start = 0;
  for (let n = 0; n < skip; n++) {
    start = text.indexOf(delimiter, start === 0 ? 1 : start + 1);
    if (start < 0) return found;
  }
  for (let at = start; at < text.length; ) {
    const next = text.indexOf(delimiter, at + 1);
    const end = next < 0 ? text.length : next;
    found.push([start, end]);
    at = end;
  }
  return found;
}

/** A delimiter stays with the part before it. The last `skip` parts are left out. */
function endsOf(text: string, delimiter: string, skip: number): [number, number][] {
  const starts = [0];
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    if (at + 1 < text.length) starts.push(at + 1);
  }
  if (text === '' || skip >= starts.length) return [];
  const end = skip === 0 ? text.length : starts[starts.length - skip]!;
  return starts.slice(0, starts.length - skip).map((start) => [start, end]);
}
