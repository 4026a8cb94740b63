// A document written by copying fields equals one that was mapped, also when memory was refused in the
// middle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusing } from '../../../test/refusing.ts';
import { sealedBytes } from '../../../test/sealed.ts';
import { buildAnalysis } from '../../analysis/registry.ts';
import { EngineError } from '../../errors.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Tail } from '../tail.ts';

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

/**
 * The segment of documents that differ in `m`, each told by copying where there is memory for it; and the
 * blocks asked for.
 */
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
  const without = mapping.slotsOfMembers(['m'])!;
  for (let doc = 1; doc < DOCS; doc++) {
    const again = (): boolean =>
      tail.copyDocument(doc - 1, without, mapping.ignored.slot) && read({ m: doc });
    if (!told(tail, doc, again)) whole(doc);
  }
  tail.closeBatch();
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

test('what another tail knows is told as if it were read', () => {
  const memory = createMemory({ stepBytes: 1 << 20 });
  const wide = parseMapping(
    { properties: { ...properties, a: { type: 'text', position_increment_gap: 300 } } },
    buildAnalysis({}),
  );
  const without = wide.slotsOfMembers(['m'])!;
  const documents = Array.from({ length: 200 }, (_, i) => ({
    ...{ a: [`x y${i % 7}`, `z${i} x`, 'y1'].slice(0, i % 4), b: `one b${i % 11} `.repeat(i % 5) },
    ...{ k: ['r', `k${i % 3}`, 'a'].slice(i % 3), n: [i, -i] },
  }));
  const read = (tail: Tail, value: object): true => {
    const source = Buffer.from(JSON.stringify(value));
    mapDocument(wide, source, 0, source.length, tail, { id: '' });
    return true;
  };
  const [before, other, copied, whole] = Array.from({ length: 4 }, () => new Tail(memory));
  for (const [doc, document] of documents.entries()) {
    told(doc % 2 === 0 ? before! : other!, doc, () =>
      read(doc % 2 === 0 ? before! : other!, { ...document, m: 1 }),
    );
  }
  for (const [doc, document] of documents.toReversed().entries()) {
    const at = documents.length - 1 - doc;
    const of = at % 2 === 0 ? before! : other!;
    told(
      copied!,
      doc,
      () => copied!.copyDocument(at >>> 1, without, wide.ignored.slot, of) && read(copied!, { m: doc }),
    );
    told(whole!, doc, () => read(whole!, { ...document, m: doc }));
  }
  for (const tail of [copied!, whole!]) tail.closeBatch();
  assert.equal(copied!.docCount, documents.length);
  assert.ok(sealedBytes(copied!).equals(sealedBytes(whole!)));
});
