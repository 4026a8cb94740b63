// Synonym rules are read in steps, however many there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../turn.ts';
import { analyzeRequest } from '../../analyze.ts';
import { type Analysis, buildAnalysisSteps } from '../../registry.ts';

const RULES = 3_200;

function settings(): Record<string, string> {
  const out: Record<string, string> = {
    'index.analysis.filter.s.type': 'synonym',
    'index.analysis.analyzer.a.tokenizer': 'whitespace',
    'index.analysis.analyzer.a.filter': 's',
  };
  for (let i = 0; i < RULES; i++) out[`index.analysis.filter.s.synonyms.${i}`] = `word${i}, other${i}`;
  return out;
}

test('the rules of an index are read in steps, and all of them hold', () => {
  const steps = buildAnalysisSteps(settings());
  let yields = 0;
  let analysis: Analysis | undefined;
  while (analysis === undefined) {
    const step = steps.next();
    if (step.done === true) analysis = step.value;
    else yields++;
  }
  assert.ok(yields >= RULES / 32, `${yields} yields`);
  for (const i of [0, 31, 32, RULES - 1]) {
    const body = { analyzer: 'a', text: `word${i}` };
    const { tokens } = runToEnd(analyzeRequest(analysis, undefined, body, 100)) as {
      tokens: { token: string }[];
    };
    assert.deepEqual(
      tokens.map(({ token }) => token),
      [`word${i}`, `other${i}`],
    );
  }
});
