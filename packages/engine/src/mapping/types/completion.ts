// Inputs of completion fields as terms: sorted by context and analyzed text, so that what begins with a prefix
// lies together (Lucene keeps them in an FST, NRTSuggester).
//
//   context name  value   end   analyzed text   end   weight, highest first   surface text
//   1 byte        bytes   00    bytes           00    4 bytes                 bytes
//   └─ only in fields with contexts ─┘          words are separated by 1F

import type { Analyzer, Token } from '../../analysis/analyzer.ts';
import { Chain, type Tokenizer } from '../../analysis/chain.ts';
import { utf8Text } from '../../json/bytes.ts';
import type { JsonValue } from '../../json/value.ts';
import type { CompletionContext } from '../definition/completion-contexts.ts';

/** Between two words. */
const SEPARATOR = '\u001f';
const END = 0;
const MAX_WEIGHT = 0x7fff_ffff;
const WEIGHT_BYTES = 4;
/** Analyzed forms of one input. */
const MAX_FORMS = 64;

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** How a completion field stores and finds its inputs. */
export class CompletionType {
  readonly contexts: readonly CompletionContext[];
  readonly searchAnalyzer: Analyzer;
  /** Analyzes an input to one term per form. `term` and `match` search these terms. */
  readonly inputAnalyzer: Analyzer;
  readonly #analyzer: Analyzer;
  readonly #separates: boolean;
  readonly #keepsHoles: boolean;
  readonly #maxLength: number;
  /** The input that was analyzed last: it is stored as suggestions, and then as words. */
  #last: { readonly text: string; readonly forms: readonly Uint8Array[] } = { text: '', forms: [] };

  constructor(
    params: (name: string) => JsonValue,
    contexts: readonly CompletionContext[],
    analyzer: Analyzer,
    searchAnalyzer: Analyzer,
  ) {
    this.contexts = contexts;
    this.#analyzer = analyzer;
    this.searchAnalyzer = searchAnalyzer;
    this.#separates = params('preserve_separators') !== false;
    this.#keepsHoles = params('preserve_position_increments') !== false;
    this.#maxLength = params('max_input_length') as number;
    const tokenizer: Tokenizer = {
      name: 'completion',
      tokenize: (text) =>
        this.#formsOf(text.slice(0, this.#maxLength)).map(
          (form, i): Token => ({
            term: utf8Text(form, 0, form.length),
            ...{ start: 0, end: text.length, position: 0, positionLength: 1 },
            type: i === 0 ? 'word' : 'SYNONYM',
          }),
        ),
    };
    this.inputAnalyzer = new Chain('completion', { tokenizer });
  }

  /** The terms of an input in one context, or in none. Empty where the analyzer leaves nothing of it. */
  terms(input: string, weight: number, context?: Uint8Array): Uint8Array[] {
    const text = input.slice(0, this.#maxLength);
    const surface = encoder.encode(text);
    return this.#formsOf(text).map((form) => {
      const term = Buffer.concat([context ?? NOTHING, form, Buffer.of(END, 0, 0, 0, 0), surface]);
      term.writeUInt32BE(MAX_WEIGHT - weight, term.length - surface.length - WEIGHT_BYTES);
      return term;
    });
  }

  /** What the analyzed text of an input must begin with to be found by a text, in each of its readings. */
  searchForms(text: string): Uint8Array[] {
    return this.#forms(this.searchAnalyzer.analyze(text));
  }

  #formsOf(text: string): readonly Uint8Array[] {
    if (text !== this.#last.text) this.#last = { text, forms: this.#forms(this.#analyzer.analyze(text)) };
    return this.#last.forms;
  }

  #forms(tokens: readonly Token[]): Uint8Array[] {
    let forms: string[] = [''];
    let last = -1;
    for (const together of Map.groupBy(tokens, ({ position }) => position).values()) {
      const { position } = together[0]!;
      const step = this.#keepsHoles || last < 0 ? position - last : 1;
      const gap = this.#separates ? SEPARATOR.repeat(last < 0 ? step - 1 : step) : '';
      last = position;
      forms = forms.flatMap((form) => together.map(({ term }) => form + gap + term)).slice(0, MAX_FORMS);
    }
    if (last < 0) return [];
    return [...new Set(forms)].map((form) => encoder.encode(form.replaceAll('\0', '')));
  }
}

/** The beginning of all terms with a value of a context, or with values that begin so (`isPrefix`). */
export function contextBytes(context: number, value: string, isPrefix: boolean = false): Uint8Array {
  const bytes = encoder.encode(value.replaceAll('\0', ''));
  return Buffer.concat([Buffer.of(context + 1), bytes, isPrefix ? NOTHING : Buffer.of(END)]);
}

/** Where the analyzed text of a term begins. */
export function analyzedStart(term: Uint8Array, hasContexts: boolean): number {
  return hasContexts ? term.indexOf(END, 1) + 1 : 0;
}

/** Where the analyzed text of a term ends, which begins at `from`. */
export function analyzedEnd(term: Uint8Array, from: number): number {
  return term.indexOf(END, from);
}

/** The weight in a term whose analyzed text ends at `end`. */
export function weightAt(term: Uint8Array, end: number): number {
  const at = end + 1;
  return (
    MAX_WEIGHT - (((term[at]! << 24) | (term[at + 1]! << 16) | (term[at + 2]! << 8) | term[at + 3]!) >>> 0)
  );
}

/** The text of the input in a term whose analyzed text ends at `end`. */
export function surfaceAt(term: Uint8Array, end: number): string {
  return utf8Text(term, end + 1 + WEIGHT_BYTES, term.length);
}

/** The value of the context in a term. */
export function contextValue(term: Uint8Array): string {
  return utf8Text(term, 1, term.indexOf(END, 1));
}
