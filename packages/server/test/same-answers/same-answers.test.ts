// Every carrier and every memo gives the recorded answer: the same status, headers and bytes.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CARRIERS, Carried } from './carriers.ts';
import { AREAS } from './corpus/areas.ts';
import { Golden } from './golden.ts';
import { run } from './run.ts';

/** So many differences are shown. */
const MOST_SHOWN = 5;

const golden = new Map(AREAS.map(({ name }) => [name, Golden.read(name)]));
const { OCTAVO_SEED = '1', OCTAVO_SAME = 'some' } = process.env;
/** Everything at every moment, which takes minutes. */
const isWhole = OCTAVO_SAME === 'all';
const seed = OCTAVO_SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(OCTAVO_SEED);

/** Numbers that a seed decides (Park and Miller's generator). */
function dice(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Without kernels (scripts/twins.ts) one carrier is enough: below it all of them are the same. */
const carriers = process.env['OCTAVO_KERNELS'] === 'ts' ? CARRIERS.slice(0, 1) : CARRIERS;

for (const carrier of carriers)
  test(`${carrier.name}, seed ${seed}`, { skip: carrier.skip ?? false, timeout: 600_000 }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'octavo-same-'));
    const draw = dice(seed);
    const differences: string[] = [];
    let [asked, different] = [0, 0];
    try {
      const carried = await Carried.start(carrier, dir, draw);
      try {
        await run(carried, {
          moments: carrier.isThorough || isWhole ? 'all' : 'some',
          draw,
          take({ area, place, request, state, moment }, answer) {
            asked++;
            const due = golden.get(area.name)!.answer(place, request, state);
            if (answer === due || ++different > MOST_SHOWN) return;
            const { method, target, body = '' } = request;
            differences.push(
              `${area.name}, ${moment}: ${method} ${target} ${String(body).slice(0, 500)}`,
              `  recorded ${due}`,
              `  answered ${answer}`,
            );
          },
        });
      } finally {
        await carried.close();
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
    assert.ok(asked > 0);
    assert.equal(different, 0, `${different} of ${asked} answers differ\n${differences.join('\n')}`);
  });
