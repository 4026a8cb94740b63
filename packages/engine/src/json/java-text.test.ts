// Every JSON value has the text that the peer gives it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainNumber, plainText } from './java-text.ts';
import { parseJson } from './parse.ts';

const parsed = (text: string) => parseJson(new TextEncoder().encode(text));

test('values are named as the peer names them', () => {
  assert.equal(
    plainText(parsed('{"a":[1,null,{"b":"x"}],"__proto__":18446744073709551615}')),
    '{a=[1, null, {b=x}], __proto__=18446744073709551615}',
  );
  assert.equal(plainText(parsed('"x"')), 'x');
  assert.equal(plainText(undefined), 'undefined');
  assert.ok(plainText(parsed(`[${'1,'.repeat(9_999)}1]`)).length < 1_100);
  assert.ok(plainText(parsed(`${'['.repeat(90)}${']'.repeat(90)}`)).includes('…'));
});

test('what is no number is NaN', () => {
  assert.ok(Number.isNaN(plainNumber(parsed('{}'))));
  assert.ok(Number.isNaN(plainNumber(parsed('[1]'))));
  assert.equal(plainNumber(parsed('"12"')), 12);
  assert.equal(plainNumber(parsed('12')), 12);
});
