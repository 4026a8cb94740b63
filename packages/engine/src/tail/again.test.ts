// Is a document that was told by copying the same as one that was read, also where memory was refused in the middle of it?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusing } from '../../test/refusing.ts';
import { sealedBytes } from '../../test/sealed.ts';
import { buildAnalysis } from '../analysis/registry.ts';
import { EngineError } from '../errors.ts';
import { mapDocument } from '../mapping/document.ts';
import { ignoredSlot, slotsFed } from '../mapping/fed.ts';
import { parseMapping } from '../mapping/mapping.ts';
import { Tail } from './tail.ts';

const DOCS = 60;
const fields = { a: 'text', b: 'text', k: 'keyword', n: 'long', m: 'long' };
const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
const mapping = parseMapping({ properties }, buildAnalysis({}));
const FIRST = {
  ...{ a: 'x y z '.repeat(20), b: 'one two '.repeat(15) },
  ...{ k: ['p', 'q', 'r'], n: [1, 2, 3], m: 0 },
};

/** False where there was no memory: nothing of it has stayed then. */
function told(tail: Tail, doc: number, tell: () => boolean): boolean {
  const place = { chunk: 0, offset: 0, length: 1, type: '_doc', routing: undefined };
  tail.begin({ id: Buffer.from(`d${doc}`), seqNo: doc, version: 1, commit: 1, ...place });
  try {
    if (tell()) {
      tail.end();
      return true;
    }
  } catch (error) {
    assert.ok(error instanceof EngineError, String(error));
  }
  tail.abort();
  return false;
}

/** The segment of documents that differ in `m`, each told by copying where there is memory for it; and the blocks asked for. */
function sealed(refused: number): { bytes: Buffer; asked: number } {
  const { memory, asked } = refusing(refused);
  const tail = new Tail(memory);
  const read = (value: object): true => {
    const source = Buffer.from(JSON.stringify(value));
    mapDocument(mapping, source, 0, source.length, tail, { id: '' });
    return true;
  };
  const whole = (doc: number): void => {
    while (!told(tail, doc, () => read({ ...FIRST, m: doc })));
  };
  whole(0);
  const without = slotsFed(mapping, ['m'])!;
  for (let doc = 1; doc < DOCS; doc++) {
    const again = (): boolean => tail.again(doc - 1, without, ignoredSlot(mapping)) && read({ m: doc });
    if (!told(tail, doc, again)) whole(doc);
  }
  tail.commit();
  return { bytes: sealedBytes(tail), asked: asked() };
}

test('whichever block is refused, the segment is the same', () => {
  const right = sealed(Number.POSITIVE_INFINITY);
  let looked = 0;
  for (let nth = 0; nth < right.asked; nth++) {
    let made: Buffer;
    try {
      made = sealed(nth).bytes;
    } catch (error) {
      // Without its first blocks there is no tail.
      assert.ok(error instanceof EngineError && nth < 5, `block ${nth}: ${error}`);
      continue;
    }
    assert.ok(made.equals(right.bytes), `block ${nth}`);
    looked++;
  }
  assert.ok(looked > 30, `${looked}`);
});
