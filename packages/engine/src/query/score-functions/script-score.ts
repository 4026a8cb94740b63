// script_score: the number that a script computes from the document and the score of the query.

import type { ScriptSpec } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import { javaValueText } from '../../mapping/definition/type-params.ts';
import { SCORE } from '../../scripts/documents/contexts.ts';
import { DocumentScript } from '../../scripts/documents/document-script.ts';
import { readScript } from '../../scripts/script-spec.ts';
import { parsingError } from '../errors.ts';
import type { ScoreFunction } from '../node/clauses/function-score-node.ts';
import type { Planner } from '../plan/planner.ts';
import type { ScoreFunctionKind } from './score-function.ts';

/** A script that scores. Throws script_exception for what does not compile. */
export function scriptFunction(spec: ScriptSpec, planner: Planner): ScoreFunction {
  const script = new DocumentScript(spec, SCORE, planner.view.mapping, () => planner.now());
  const { source, params } = spec;
  const shown = `idOrCode='${source}', options={}, params=${javaValueText(params ?? {})}`;
  const description = `script score function, computed with script:"Script{type=inline, lang='painless', ${shown}}"`;
  return {
    isSlow: true,
    description,
    takesScore: true,
    forLeaf: (leaf, meter) => script.forLeaf(leaf, meter),
  };
}

export const scriptScoreFunction: ScoreFunctionKind = {
  name: 'script_score',
  parse(body) {
    let spec: ScriptSpec | undefined;
    for (const key of Object.keys(body)) {
      if (key !== 'script') throw parsingError(`script_score query does not support [${key}]`);
      spec = readScript(body, key, 'script_score');
    }
    if (spec === undefined) throw parsingError("script_score requires 'script' field");
    const own = spec;
    return {
      plan(planner) {
        const { forLeaf, ...scoring } = scriptFunction(own, planner);
        const checked: ScoreFunction['forLeaf'] = (leaf, meter) => {
          const score = forLeaf(leaf, meter);
          return (doc, before) => notNegative(score(doc, before));
        };
        return { ...scoring, forLeaf: checked };
      },
    };
  },
};

function notNegative(score: number): number {
  if (!(score < 0)) return score;
  throw illegalArgument(
    `script score function must not produce negative scores, but got: [${javaDouble(score)}]`,
  );
}
