// Generators for the property tests: contents whose texts are hard to cut, and junk that is almost markup.

import fc from 'fast-check';
import { type Content, type Entity, type Kind, UNITS, type Unit } from '../src/content.ts';
import { convertUnit } from '../src/units.ts';

/** Graphemes of several code points, and pieces that look like markup. */
export const PIECES: readonly string[] = [
  'a',
  ' ',
  '\n',
  'é',
  'e\u0301',
  '\u{1f600}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1f44d}\u{1f3fd}',
  '\u{1f1e9}\u{1f1ea}',
  '\u05e9\u05c1',
  '\u0627\u0644',
  '\u202e',
  '\u4e16',
  '<',
  '>',
  '&',
  '"',
  "'",
  '&amp;',
  '&lt;',
  '&nbsp;',
  '</user>',
  '<b>',
  '@ada',
  '#news',
];

/** Pieces that form elements and almost-elements. */
const JUNK: readonly string[] = [
  ...PIECES,
  '<user username="ada">',
  '<user username="a&quot;b" id="7">',
  '<user id="7">',
  '<user username="">',
  '<user  username="x"\n>',
  '<user username="x" username="y">',
  '<user username="x" class="y">',
  "<user username='x'>",
  '<topic>',
  '<topic id="t">',
  '<entity id="e">',
  '<link href="https://x.example/?a=1&amp;b=2">',
  '<link>',
  '</topic>',
  '</entity>',
  '</link>',
  '</user >',
  '<user username="unclosed',
  '\ud83d',
  '\ude00',
  '\0',
];

export const text: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 20 })
  .map((pieces) => pieces.join('').toWellFormed().replaceAll('\0', '\u0001'));

export const junkMarkup: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...JUNK) }, fc.string({ maxLength: 3 })), {
    maxLength: 30,
  })
  .map((pieces) => pieces.join(''));

export const unit: fc.Arbitrary<Unit> = fc.constantFrom(...UNITS);

const kind: fc.Arbitrary<Kind> = fc.constantFrom('user', 'topic', 'entity', 'link');
const value = text.map((drawn) => drawn || 'x');

/** Valid content in canonical form, in UTF-16. */
export const content: fc.Arbitrary<Content> = fc
  .tuple(
    fc.array(fc.record({ before: text, inside: value, kind, id: fc.option(value), name: value }), {
      maxLength: 6,
    }),
    text,
  )
  .map(([drawn, tail]) => {
    const entities: Entity[] = [];
    let all = '';
    for (const { before, inside, kind, id, name } of drawn) {
      all += before;
      entities.push({
        kind,
        ...(kind === 'user' ? { username: name } : {}),
        ...(id === null ? {} : { id }),
        ...(kind === 'link' ? { href: name } : {}),
        start: all.length,
        end: all.length + inside.length,
      } as Entity);
      all += inside;
    }
    return { text: all + tail, entities, unit: 'utf16' };
  });

/** Valid content in any unit. */
export const contentInAnyUnit: fc.Arbitrary<Content> = fc
  .tuple(content, unit)
  .map(([drawn, target]) => convertUnit(drawn, target));

/** Content with any fault that the types allow. */
export const brokenContent: fc.Arbitrary<Content> = fc.record({
  text: fc.array(fc.constantFrom(...JUNK), { maxLength: 6 }).map((pieces) => pieces.join('')),
  entities: fc.array(
    fc.record(
      {
        kind,
        username: fc.constantFrom('', 'ada', '\ud83d', 'a\0'),
        id: fc.constantFrom('', '7'),
        href: fc.constantFrom('', 'https://x.example'),
        start: fc.oneof(fc.integer({ min: -1, max: 30 }), fc.constantFrom(Number.NaN, 0.5, 1e300)),
        end: fc.oneof(fc.integer({ min: -1, max: 30 }), fc.constantFrom(Number.NaN, 0.5, 1e300)),
      },
      { requiredKeys: ['kind', 'start', 'end'] },
    ),
    { maxLength: 4 },
  ) as fc.Arbitrary<Entity[]>,
  unit,
});
