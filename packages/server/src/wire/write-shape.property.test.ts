// Is what is printed from pieces what would be printed for each write anew, whatever came before it?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine, WriteResult } from '@octavo/engine';
import fc from 'fast-check';
import { FixedHeaders, linesOf } from '../lane/printed.ts';
import { writeBody } from './write-reply.ts';
import { WriteShape } from './write-shape.ts';

const BRAND = new FixedHeaders(['x-brand', 'octavo']);
const OWN = [
  [...BRAND.pairs, 'content-type', 'application/json'],
  [...BRAND.pairs, 'content-type', 'application/vnd.x+json'],
];

/** Indices whose replicas change now and then. */
function engineOf(): { engine: Engine; change: () => void } {
  let replicas = 0;
  const infos = new Map<string, object>();
  const change = (): void => {
    replicas++;
    infos.clear();
  };
  const info = (name: string): object | undefined => {
    if (name === 'gone') return undefined;
    const known = infos.get(name) ?? {
      name,
      uuid: name,
      settings: { 'index.number_of_replicas': String(replicas) },
    };
    infos.set(name, known);
    return known;
  };
  return { engine: { indices: { info } } as unknown as Engine, change };
}

const write = fc.record({
  index: fc.constantFrom('logs', 'logs-2', 'gone', 'größe', '日記', 'a&b'),
  type: fc.constantFrom('_doc', 'tweet'),
  result: fc.constantFrom('created', 'updated'),
  id: fc.stringMatching(/^[A-Za-z0-9.~:@=-]{1,30}$/),
  version: fc.nat(),
  seqNo: fc.nat(),
  changes: fc.boolean(),
  own: fc.constantFrom(...OWN),
  mount: fc.constantFrom('', '/below'),
});

test('bodies and headers are those of each write alone', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
      const { engine, change } = engineOf();
      const shape = new WriteShape(BRAND);
      for (const { changes, own, mount, ...one } of writes) {
        if (changes) change();
        const result = { ...one, error: undefined, source: undefined } as WriteResult;
        const expected = JSON.parse(JSON.stringify(writeBody(engine, result, false)));
        const body = shape.body(result, engine, one.id);
        assert.deepEqual(JSON.parse(body), expected);
        assert.deepEqual(Object.keys(JSON.parse(body)), Object.keys(expected));
        assert.equal(shape.isAscii, Buffer.byteLength(body) === body.length);
        const type = ['content-type', own.at(-1)!];
        const place = ['location', `${mount}/${encodeURIComponent(one.index)}/_doc/${one.id}`];
        assert.equal(shape.lines(own, undefined, mount, one.index), BRAND.lines + linesOf(type));
        assert.equal(shape.lines(own, one.id, mount, one.index), BRAND.lines + linesOf([...place, ...type]));
      }
    }),
  );
});

test('what no header may have in it is refused, each time, and the place only where there is one', () => {
  const shape = new WriteShape(BRAND);
  const before = shape.lines(OWN[1]!, 'id', '', 'logs');
  const broken = [...BRAND.pairs, 'content-type', '日記'];
  for (let time = 0; time < 2; time++) {
    assert.throws(() => shape.lines(broken, 'id', '', 'logs'), TypeError);
    assert.throws(() => shape.lines(OWN[0]!, 'id', '/日記', 'logs'), TypeError);
    assert.doesNotThrow(() => shape.lines(OWN[0]!, undefined, '/日記', 'logs'));
  }
  assert.equal(shape.lines(OWN[1]!, 'id', '', 'logs'), before);
});
