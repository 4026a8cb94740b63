// The completion suggester beside a naive twin: random inputs with weights and contexts in tails and segments, with
// overwrites and deletes, found by prefixes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, type SuggestOption } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

interface Input {
  readonly input: readonly string[];
  readonly weight: number;
  readonly contexts: { readonly color: readonly string[] };
}

const MAPPINGS = {
  properties: {
    plain: { type: 'completion' },
    colored: { type: 'completion', contexts: [{ name: 'color', type: 'category' }] },
  },
};

const word = fc.constantFrom('ab', 'abc', 'b', 'ba', 'a');
const text = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));
const input: fc.Arbitrary<Input> = fc.record(
  {
    input: fc.array(text, { minLength: 1, maxLength: 3 }),
    weight: fc.integer({ min: 0, max: 4 }),
    contexts: fc.record(
      { color: fc.uniqueArray(fc.constantFrom('red', 'blue', 'green'), { minLength: 1, maxLength: 2 }) },
      { noNullPrototype: true },
    ),
  },
  { noNullPrototype: true },
);
const step = fc.record({ id: fc.integer({ min: 0, max: 9 }).map(String), input: fc.option(input) });

/** What is suggested: the best input of each document, best first; documents in the order in which they were written. */
function twin(
  docs: ReadonlyMap<string, Input>,
  size: number,
  worth: (text: string, doc: Input) => number | undefined,
): unknown[] {
  const options = [...docs].flatMap(([id, doc]) => {
    const found = doc.input.flatMap((text) => {
      const score = worth(text, doc);
      return score === undefined ? [] : [{ id, text, score }];
    });
    found.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    return found.slice(0, 1);
  });
  options.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return options.slice(0, size).map(({ id, text, score }) => [id, text, score]);
}

test('completions are those of a naive twin', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 25 }),
    fc.array(fc.constantFrom('a', 'ab', 'abc', 'b', 'a b', 'ab a', 'AB', 'c'), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(3, 64),
    async (steps, prefixes, size, tailDocs) => {
      const engine = await open('', { disk: new SimulatedDisk(), tailDocs });
      await engine.indices.create('a', { mappings: MAPPINGS });
      const docs = new Map<string, Input>();
      for (const { id, input } of steps) {
        docs.delete(id);
        if (input === null) await engine.write([{ kind: 'delete', index: 'a', id }]);
        else {
          const { input: texts, weight } = input;
          const source = Buffer.from(JSON.stringify({ plain: { input: texts, weight }, colored: input }));
          await engine.write([{ kind: 'index', index: 'a', id, source }]);
          docs.set(id, input);
        }
      }
      const ask = async (prefix: string, completion: object): Promise<unknown[]> => {
        const suggest = { s: { prefix, completion: { size, ...completion } } } as never;
        const found = await engine.search({ indices: ['a'], size: 0, suggest });
        const options: readonly SuggestOption[] = found.suggest!.get('s')!.entries[0]!.options;
        return options.map(({ hit, text, score }) => [hit!.id, text, score]);
      };
      for (const prefix of prefixes) {
        const own = prefix.toLowerCase();
        const begins = (text: string, { weight }: Input) => (text.startsWith(own) ? weight : undefined);
        assert.deepEqual(await ask(prefix, { field: 'plain' }), twin(docs, size, begins));
        const contexts = { color: [{ context: 'red', boost: 3 }, 'blue'] };
        const colored = (text: string, { weight, contexts: { color } }: Input): number | undefined => {
          const boost = color.includes('red') ? 3 : color.includes('blue') ? 1 : undefined;
          if (boost === undefined || !text.startsWith(own)) return undefined;
          return weight === 0 ? boost : weight * boost;
        };
        assert.deepEqual(await ask(prefix, { field: 'colored', contexts }), twin(docs, size, colored));
      }
      await engine.close();
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test('of equal texts only the best is suggested where duplicates are skipped', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), tailDocs: 2 });
  await engine.indices.create('a', { mappings: MAPPINGS });
  const weights = [3, 1, 4, 1, 5];
  for (const [i, weight] of weights.entries()) {
    const source = Buffer.from(JSON.stringify({ plain: { input: i % 2 === 0 ? 'even' : 'every', weight } }));
    await engine.write([{ kind: 'index', index: 'a', id: String(i), source }]);
  }
  const suggest = { s: { prefix: 'ev', completion: { field: 'plain', skip_duplicates: true } } };
  const found = await engine.search({ indices: ['a'], size: 0, suggest });
  const options = found.suggest!.get('s')!.entries[0]!.options;
  assert.deepEqual(
    options.map(({ hit, text, score }) => [hit!.id, text, score]),
    [
      ['4', 'even', 5],
      ['1', 'every', 1],
    ],
  );
  await engine.close();
});
