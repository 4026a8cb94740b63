// field_value_factor: the smallest number of a field, times a factor, perhaps through a modifier.

import { EngineError, illegalArgument } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { parsingError } from '../errors.ts';
import type { ScoreDocument, ScoreFunction } from '../node/clauses/function-score-node.ts';
import { readNumber, readText } from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import { checkFielddata, numberReader, numericRows } from './field-numbers.ts';
import type { ScoreFunctionKind } from './score-function.ts';

type Modifier = (value: number) => number;

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  NONE: (value) => value,
  LOG: (value) => Math.log10(value),
  LOG1P: (value) => Math.log10(value + 1),
  LOG2P: (value) => Math.log10(value + 2),
  LN: (value) => Math.log(value),
  LN1P: (value) => Math.log1p(value),
  LN2P: (value) => Math.log1p(value + 1),
  SQUARE: (value) => value ** 2,
  SQRT: (value) => Math.sqrt(value),
  RECIPROCAL: (value) => 1 / value,
};

interface FactorOptions {
  readonly field: string;
  readonly factor: number;
  readonly modifier: string;
  readonly missing: number | undefined;
}

function planFactor(
  { field: path, factor, modifier, missing }: FactorOptions,
  planner: Planner,
): ScoreFunction {
  const field = planner.field(path);
  if (field === undefined && missing === undefined) {
    const reason = `Unable to find a field mapper for field [${path}]. No 'missing' value defined.`;
    throw new EngineError('exception', reason, { status: 400 });
  }
  if (field !== undefined) checkNumber(planner, field);
  const modify = MODIFIERS[modifier]!;
  const score = (value: number): number => {
    const result = modify(value * factor);
    if (result >= 0 || Number.isNaN(result)) return result;
    throw illegalArgument(
      `field value function must not produce negative scores, but got: [${javaDouble(result)}] for field value: [${javaDouble(value)}]`,
    );
  };
  const none: ScoreDocument = () => {
    if (missing !== undefined) return score(missing);
    throw new EngineError('exception', `Missing value for field [${path}]`);
  };
  const shown = `doc['${path}'].value${missing === undefined ? '' : `?:${javaDouble(missing)}`} * factor=${javaDouble(factor, String(Math.abs(shortestFloat(factor))))}`;
  return {
    description: `field value function: ${modifier.toLowerCase()}(${shown})`,
    forLeaf(leaf) {
      const rows = field && numericRows(leaf, field.path);
      if (rows === undefined) return none;
      const read = numberReader(field!, rows.column);
      return (doc, own) => {
        const at = rows.start(doc);
        return at < rows.end(doc) ? score(read(at)) : none(doc, own);
      };
    },
  };
}

function checkNumber(planner: Planner, field: FieldType): void {
  checkFielddata(field);
  if (field.numeric !== undefined) return;
  throw planner.misfit(
    `failed to create query: field [${field.path}] of type [${field.kind}] has no numbers for [field_value_factor]`,
  );
}

export const fieldValueFactor: ScoreFunctionKind = {
  name: 'field_value_factor',
  parse(body) {
    let field: string | undefined;
    let factor = 1;
    let modifier = 'NONE';
    let missing: number | undefined;
    const kind = 'field_value_factor';
    for (const [key, value] of Object.entries(body)) {
      if (key === 'field') field = readText(value, kind, key);
      else if (key === 'factor') factor = Math.fround(readNumber(value, kind, key));
      else if (key === 'missing') missing = readNumber(value, kind, key);
      else if (key === 'modifier') modifier = readModifier(readText(value, kind, key));
      else throw parsingError(`field_value_factor query does not support [${key}]`);
    }
    if (field === undefined) throw parsingError("[field_value_factor] required field 'field' missing");
    const options = Object.freeze({ field, factor, modifier, missing });
    return { plan: (planner) => planFactor(options, planner) };
  },
};

function readModifier(text: string): string {
  const name = text.toUpperCase();
  if (Object.hasOwn(MODIFIERS, name)) return name;
  throw illegalArgument(
    `No enum constant org.opensearch.common.lucene.search.function.FieldValueFactorFunction.Modifier.${name}`,
  );
}
