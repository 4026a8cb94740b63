// `npm run differential`: sends random requests to an OpenSearch and to Octavo, and compares the replies. Prints how many are the
// same, by class and by feature, and writes each kind of difference, as small as it gets, to a file. Exit code 1 where a result
// is wrong, or more than 1 % have another status or another shape.
//
//   npm run differential                              20,000 requests, about ten minutes
//   npm run differential -- --cases 2000 --seed 7
//   npm run differential -- --seed 7 --only 311,315   these cases, with their requests and replies
//   npm run differential -- --peer http://127.0.0.1:9200   an OpenSearch that runs already

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOctavo } from '../../bench/peers/octavo.ts';
import { startOpenSearch } from '../../bench/peers/opensearch.ts';
import { CASES_PER_DATASET, datasetOf, makeCase } from './generate/make-case.ts';
import { causeLines, differenceText, type Found, toleranceLines } from './report.ts';
import { Runner } from './runner.ts';

interface Options {
  readonly seed: number;
  readonly cases: number;
  readonly only: readonly number[] | undefined;
  readonly peer: string | undefined;
  readonly shrink: number;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      cases: { type: 'string', default: '20000' },
      only: { type: 'string' },
      peer: { type: 'string' },
      shrink: { type: 'string', default: '40' },
    },
  });
  const whole = (name: 'seed' | 'cases' | 'shrink'): number => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`--${name} takes a whole number, not ${values[name]}`);
    return value;
  };
  return {
    seed: whole('seed'),
    cases: whole('cases'),
    only: values.only?.split(',').map(Number),
    peer: values.peer,
    shrink: whole('shrink'),
  };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the cases; true if the results are as good as promised. */
async function run(runner: Runner, { seed, cases, only, shrink }: Options): Promise<boolean> {
  const found: Found[] = [];
  const numbers = only ?? Array.from({ length: cases }, (_, n) => n);
  const byDataset = Map.groupBy(numbers, (number) => Math.floor(number / CASES_PER_DATASET));
  const texts: string[] = [];
  const folder = join(tmpdir(), 'octavo-differential');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `differences-${seed}.md`);
  const written = new Map<string, number>();
  for (const [index, members] of byDataset) {
    const dataset = datasetOf(seed, index);
    const differing = await runner.runAll(
      members.map((number) => makeCase(seed, number, dataset)),
      dataset,
    );
    found.push(...differing);
    for (const one of differing) {
      const count = written.get(one.signature) ?? 0;
      if (only === undefined && (one.class === 'refused' || count >= 1 || written.size >= shrink)) continue;
      written.set(one.signature, count + 1);
      const smallest = await runner.shrunk(one, dataset, shrink === 0 ? 0 : undefined);
      texts.push(differenceText(smallest.found, smallest.sample, seed));
      if (only !== undefined) say(texts.at(-1)!);
      else writeFileSync(file, texts.sort().join(''));
    }
    if (only === undefined) process.stderr.write(`${members.at(-1)! + 1} cases, ${found.length} differ\n`);
  }
  for (const line of [...causeLines(found), ...toleranceLines(), ...runner.tally.lines()]) say(line);
  if (texts.length > 0 && only === undefined) say(`the differences are in ${file}`);
  const { wrong, status, shape } = runner.tally.all;
  return wrong === 0 && Math.max(status, shape) <= numbers.length / 100;
}

const options = optionsOf(process.argv.slice(2));
const started = options.peer === undefined ? await startOpenSearch('2g', say) : undefined;
const peer = options.peer ?? started?.url;
if (peer === undefined) {
  say('there is no OpenSearch to compare with.');
  process.exitCode = 1;
} else {
  const octavo = await startOctavo();
  const runner = new Runner(peer, octavo.url);
  try {
    if (!(await run(runner, options))) process.exitCode = 1;
  } finally {
    runner.close();
    await octavo.stop();
    await started?.stop();
  }
}
