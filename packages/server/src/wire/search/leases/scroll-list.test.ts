// A scroll keeps no more than the text of its request, also if every scroll has another request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseJson } from '@octavo/engine';
import type { Target } from '../../resolve/target.ts';
import { scrollListOf } from './scroll-list.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const TARGET: Target = { infos: [], indices: ['books'], expression: ['books'], filters: undefined };
const COUNT = 20_000;

function bodyOf(k: number, word: string): object {
  const sections = Array.from({ length: 30 }, (_, i) => `section-${(i + k) % 50}`);
  return {
    query: {
      bool: {
        must: [{ match: { title: `${word} ${k}` } }],
        filter: [{ range: { size: { gte: k, lt: k + 100 } } }, { terms: { section: sections } }],
      },
    },
    size: 1,
    sort: [{ gmt_modified: 'desc' }],
  };
}

for (const word of ['winter', 'Übergröße', '冬'])
  test(`lists of scrolls about ${word} take what their texts do`, () => {
    const made = (k: number): ReturnType<typeof scrollListOf> => {
      const body = parseJson(Buffer.from(JSON.stringify(bodyOf(k, word)))) as Parameters<
        typeof scrollListOf
      >[0];
      return scrollListOf(body, 'scroll=30m&rest_total_hits_as_int=true'.slice(0, 30), TARGET, 1);
    };
    const kept = Array.from({ length: 600 }, (_, k) => made(-k));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < COUNT; k++) kept.push(made(k));
    collect();
    const each = (process.memoryUsage().heapUsed - before) / COUNT;
    const { body } = kept.at(-1)!;
    const bytes = body.length;
    assert.ok(each < bytes * 1.1 + 300, `${each} bytes for a text of ${bytes}`);
    assert.deepEqual(JSON.parse(Buffer.from(body, 'latin1').toString()), bodyOf(COUNT - 1, word));
  });
