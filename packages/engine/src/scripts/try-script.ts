// Scripts without a document: run for somebody who tries them out, and checked before they are stored.

import type { ScriptSpec } from '../api.ts';
import { EngineError, illegalArgument } from '../errors.ts';
import { parseScript } from './language/parse-script.ts';
import { parseTemplate } from './mustache/parse-template.ts';
import { findScript, type ScriptContext } from './script.ts';
import { asFault, compileError } from './script-fault.ts';
import { valueOfJson } from './values/json-values.ts';
import { textOf } from './values/value.ts';

const PAINLESS_TEST: ScriptContext = { name: 'painless_test', globals: ['params'] };

/** The text of what a script returns. Throws script_exception. */
export function runTestScript(spec: ScriptSpec, now: number): string {
  return findScript(spec, PAINLESS_TEST).run([valueOfJson(spec.params ?? {})], now, textOf);
}

/** Where the peer uses scripts. */
const CONTEXTS: ReadonlySet<string> = new Set([
  ...['aggregation_selector', 'aggs', 'aggs_combine', 'aggs_init', 'aggs_map', 'aggs_reduce', 'analysis'],
  ...['bucket_aggregation', 'derived_field', 'field', 'filter', 'ingest', 'interval', 'moving-function'],
  ...['number_sort', 'painless_test', 'processor_conditional', 'score', 'script_heuristic', 'search'],
  ...['similarity', 'similarity_weight', 'string_sort', 'template', 'terms_set', 'update'],
]);

/**
 * Throws if the syntax of a script is wrong, or if there is no such context. Names are looked up when the script is used:
 * only then it is known which there are.
 */
export function checkScript({ source, lang }: ScriptSpec, context: string): void {
  if (!CONTEXTS.has(context)) throw illegalArgument(`Unknown context [${context}]`);
  if (lang === 'mustache') {
    if (context !== 'template')
      throw illegalArgument(`mustache engine does not know how to handle context [${context}]`);
    parseTemplate(source);
    return;
  }
  try {
    parseScript(source);
  } catch (thrown) {
    if (thrown instanceof EngineError) throw thrown;
    throw compileError(source, asFault(thrown));
  }
}
