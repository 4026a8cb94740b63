// Plans the rules of an `intervals` query: analysis, expansion of patterns, and the sources of intervals.

import { EngineError, illegalArgument } from '../../../errors.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { expandedTerms } from '../../field/expanded-terms.ts';
import { isTextField, typeName, utf8 } from '../../field/field-value.ts';
import { fuzzyNode } from '../../field/fuzzy.ts';
import { lowers } from '../../field/lower-case.ts';
import { prefixNode, regexpNode, wildcardNode } from '../../field/term-patterns.ts';
import { analyzeParts } from '../../field/text/analyzed-text.ts';
import { isFork, type TextPlace } from '../../field/text/token-graph.ts';
import type { Plan } from '../../matcher.ts';
import {
  anyOf,
  block,
  extend,
  filterIntervals,
  type IntervalFilter,
  type IntervalSource,
  maxGaps,
  NO_INTERVALS,
  ordered,
  termIntervals,
  unordered,
  unorderedApart,
} from '../../node/spans/interval-source.ts';
import type { Planner } from '../../plan/planner.ts';
import type { IntervalMode, IntervalRule } from './rules.ts';

const FILTERS: readonly IntervalFilter[] = [
  'after',
  'before',
  'contained_by',
  'containing',
  'not_contained_by',
  'not_containing',
  'not_overlapping',
  'overlapping',
];

/** The intervals of a rule in a field. */
export function planRule(planner: Planner, field: FieldType, rule: IntervalRule): IntervalSource {
  checkField(field);
  switch (rule.type) {
    case 'match': {
      const own = fieldOf(planner, field, rule.useField);
      const source =
        own === undefined ? NO_INTERVALS : textIntervals(planner, own, rule.analyzer, rule.text, rule);
      return filtered(planner, field, source, rule.filter);
    }
    case 'all_of': {
      const sources = rule.rules.map((each) => planRule(planner, field, each));
      return filtered(planner, field, combine(sources, rule.maxGaps, rule.mode), rule.filter);
    }
    case 'any_of': {
      const source = anyOf(rule.rules.map((each) => planRule(planner, field, each)));
      return filtered(planner, field, source, rule.filter);
    }
    default: {
      const own = fieldOf(planner, field, rule.useField);
      if (own === undefined) return NO_INTERVALS;
      const analyzer = analyzerOf(planner, own, rule.analyzer);
      const isLow = rule.type !== 'regexp' && lowers(analyzer);
      const plan = planner.withoutScores(() =>
        patternPlan(planner, own, { ...rule, text: isLow ? rule.text.toLowerCase() : rule.text }),
      );
      const terms = expandedTerms(planner, own.path, plan, rule.most);
      if (terms.length > rule.most) {
        throw new EngineError(
          'illegal_state_exception',
          `Automaton [${rule.text}] expanded to too many terms (limit ${rule.most})`,
        );
      }
      return termIntervals(own.path, terms);
    }
  }
}

function checkField(field: FieldType): void {
  if (!isTextField(field)) {
    throw illegalArgument(
      `Can only use interval queries on text fields - not on [${field.path}] which is of type [${typeName(field)}]`,
    );
  }
  if (field.spec.index !== 'positions') {
    throw illegalArgument(`Cannot create intervals over field [${field.path}] with no positions indexed`);
  }
}

/** The field of a rule; undefined where it is not mapped. */
function fieldOf(planner: Planner, field: FieldType, name: string | undefined): FieldType | undefined {
  if (name === undefined) return field;
  const own = planner.field(name);
  if (own !== undefined) checkField(own);
  return own;
}

function analyzerOf(
  planner: Planner,
  field: FieldType,
  name: string | undefined,
): NonNullable<FieldType['analyzer']> {
  const found = name === undefined ? (field.searchAnalyzer ?? field.analyzer) : planner.view.analyzer(name);
  if (found === undefined) throw planner.misfit(`[intervals] analyzer [${name ?? ''}] not found`);
  return found;
}

function patternPlan(
  planner: Planner,
  field: FieldType,
  rule: Extract<IntervalRule, { readonly most: number }>,
): Plan {
  const { text, fuzzy, flags, insensitive } = rule;
  switch (rule.type) {
    case 'prefix':
      return prefixNode(planner, field.path, text, 1);
    case 'wildcard':
      return wildcardNode(planner, field.path, text, 1);
    case 'regexp':
      return regexpNode(
        planner,
        field.path,
        text,
        { flags, insensitive, maxStates: Number.POSITIVE_INFINITY },
        1,
      );
    case 'fuzzy':
      return fuzzyNode(planner, field, text, { ...fuzzy, expansions: rule.most + 1 }, 1);
  }
}

/** The words of a text near each other. Words that the analyzer drops leave room before the next one. */
function textIntervals(
  planner: Planner,
  field: FieldType,
  analyzer: string | undefined,
  text: string,
  options: { readonly maxGaps: number; readonly mode: IntervalMode },
): IntervalSource {
  const parts = analyzeParts(analyzerOf(planner, field, analyzer), text, planner);
  planner.countWords(parts.length);
  const place = ({ terms }: TextPlace): IntervalSource =>
    anyOf(terms.map((term) => termIntervals(field.path, [utf8(term)])));
  const sources = parts.map((part, i) => {
    if (isFork(part)) {
      return anyOf(part.paths.map((path) => combine(path.map(place), 0, 'ordered')));
    }
    const before = parts[i - 1];
    // Behind a fork there is no room: its paths have different lengths.
    if (parts.length === 1 || (before !== undefined && isFork(before))) return place(part);
    return extend(place(part), part.position - (before === undefined ? 0 : before.position + 1), 0);
  });
  return combine(sources, options.maxGaps, options.mode);
}

function combine(sources: readonly IntervalSource[], most: number, mode: IntervalMode): IntervalSource {
  const [first, ...rest] = sources;
  if (first === undefined) return NO_INTERVALS;
  if (rest.length === 0) return first;
  if (most === 0 && mode === 'ordered') return block(sources);
  const limited = (inner: IntervalSource): IntervalSource => (most === -1 ? inner : maxGaps(inner, most));
  switch (mode) {
    case 'ordered':
      return limited(ordered(sources));
    case 'unordered':
      return limited(unordered(sources));
    case 'unordered_no_overlap':
      return limited(
        rest.reduce((inner, each, i) => unorderedApart(i === 0 ? inner : limited(inner), each), first),
      );
  }
}

function filtered(
  planner: Planner,
  field: FieldType,
  source: IntervalSource,
  filter: { readonly name: string; readonly rule: IntervalRule } | undefined,
): IntervalSource {
  if (filter === undefined) return source;
  const other = planRule(planner, field, filter.rule);
  const name = FILTERS.find((each) => each === filter.name);
  if (name === undefined) throw illegalArgument(`Unknown filter type [${filter.name}]`);
  return filterIntervals(source, other, name);
}
