// The analysis components that indices use, for `_cluster/stats`: types of those that their settings define, and
// built-in ones by name.

import { type IndexInfo, isObject, type JsonObject } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { listItems } from '../settings/flat-settings.ts';

const PREFIX = 'index.analysis.';
const KINDS = ['char_filter', 'tokenizer', 'filter', 'analyzer'] as const;
type Kind = (typeof KINDS)[number];

/** Uses by name: all of them, and the indices that have one. */
class UsageCounts {
  readonly #uses = new Map<string, { count: number; indices: Set<string> }>();

  add(name: string, index: string): void {
    const use = this.#uses.get(name) ?? { count: 0, indices: new Set() };
    use.count++;
    use.indices.add(index);
    this.#uses.set(name, use);
  }

  list(): ReplyObject[] {
    const names = [...this.#uses.keys()].sort();
    return names.map((name) => {
      const { count, indices } = this.#uses.get(name)!;
      return { name, count, index_count: indices.size };
    });
  }
}

/** The `analysis` member of `_cluster/stats`. */
export function analysisUsage(infos: readonly IndexInfo[]): ReplyObject {
  const types = byKind(() => new UsageCounts());
  const builtIn = byKind(() => new UsageCounts());
  for (const { name: index, settings, mappings } of infos) {
    const defined = definitionsOf(settings);
    const used = byKind((): string[] => []);
    addAnalyzers(mappings, used.analyzer);
    for (const analyzer of defined.analyzer.values()) {
      for (const kind of ['char_filter', 'tokenizer', 'filter'] as const) {
        const text = analyzer[kind];
        for (const name of text === undefined ? [] : (listItems(text) ?? text.split(',')))
          used[kind].push(name.trim());
      }
    }
    for (const kind of KINDS) {
      for (const { type = 'custom' } of defined[kind].values()) types[kind].add(type, index);
      for (const name of used[kind]) if (!defined[kind].has(name)) builtIn[kind].add(name, index);
    }
  }
  const out: ReplyObject = {};
  for (const kind of KINDS) out[`${kind}_types`] = types[kind].list();
  for (const kind of KINDS) out[`built_in_${kind}s`] = builtIn[kind].list();
  return out;
}

function byKind<T>(make: () => T): Record<Kind, T> {
  return { char_filter: make(), tokenizer: make(), filter: make(), analyzer: make() };
}

/** The parameters of each component that the settings define, by kind and name. */
function definitionsOf(
  settings: Readonly<Record<string, string>>,
): Record<Kind, Map<string, Record<string, string>>> {
  const out = byKind(() => new Map<string, Record<string, string>>());
  for (const [key, value] of Object.entries(settings)) {
    if (!key.startsWith(PREFIX)) continue;
    const kind = KINDS.find((each) => key.startsWith(`${PREFIX}${each}.`));
    if (kind === undefined) continue;
    const rest = key.slice(`${PREFIX}${kind}.`.length);
    const dot = rest.indexOf('.');
    if (dot < 0) continue;
    const parameters = out[kind].get(rest.slice(0, dot)) ?? {};
    parameters[rest.slice(dot + 1)] = value;
    out[kind].set(rest.slice(0, dot), parameters);
  }
  return out;
}

/** Adds the analyzers that the fields of a mapping name, multi-fields included. */
function addAnalyzers(node: JsonObject, names: string[]): void {
  for (const parameter of ['analyzer', 'search_analyzer', 'search_quote_analyzer']) {
    const name = node[parameter];
    if (typeof name === 'string') names.push(name);
  }
  for (const list of ['properties', 'fields']) {
    const children = node[list];
    if (!isObject(children)) continue;
    for (const child of Object.values(children)) if (isObject(child)) addAnalyzers(child, names);
  }
}
