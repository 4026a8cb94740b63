import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarkup, plainText } from './parse.ts';

test('the inner of two nested elements is the element, the rest is text', () => {
  assert.deepEqual(parseMarkup('<user username="a"><user username="b">x</user></user>'), {
    text: '<user username="a">x</user>',
    entities: [{ kind: 'user', username: 'b', start: 19, end: 20 }],
    unit: 'utf16',
  });
});

test('markup that is not exactly an element is text', () => {
  const texts = [
    '<b>x</b>',
    '<user>x</user>',
    '<user username="">x</user>',
    '<user username="a" class="b">x</user>',
    '<user username="a" href="b">x</user>',
    '<user username="a" username="b">x</user>',
    '<user username="a" id="">x</user>',
    "<user username='a'>x</user>",
    '<user username=a>x</user>',
    '<user username = "a">x</user>',
    '<userusername="a">x</user>',
    '<user username="a"id="b">x</user>',
    '<User username="a">x</User>',
    '<user username="a"/>',
    '<user username="a">x',
    '<user username="a">x</ user>',
    '<user username="a">x</user >',
    '<user username="a"></user>',
    '<user username="a<b">x</user>',
    '< user username="a">x</user>',
    '<link>x</link>',
    '<topics>x</topics>',
    '</user>',
    '&nbsp; &#60; &AMP; &lt &',
    '<',
    '',
  ];
  for (const text of texts) assert.deepEqual(parseMarkup(text), { text, entities: [], unit: 'utf16' });
});

test('space between attributes, their order and a bare > are allowed', () => {
  assert.deepEqual(parseMarkup('<user\t id="7"\r\n username="a>b" >x</user>').entities, [
    { kind: 'user', username: 'a>b', id: '7', start: 0, end: 1 },
  ]);
});

test('other elements and end tags inside an element are its text', () => {
  assert.deepEqual(parseMarkup('<topic>a<b></user>c</topic>'), {
    text: 'a<b></user>c',
    entities: [{ kind: 'topic', start: 0, end: 12 }],
    unit: 'utf16',
  });
});

test('references are decoded once', () => {
  assert.equal(plainText('&amp;lt;b&amp;gt; &lt;topic&gt;x&lt;/topic&gt;'), '&lt;b&gt; <topic>x</topic>');
});

test('surrogates separated by a tag do not become a pair', () => {
  const { text, entities } = parseMarkup('\ud83d<topic>\ude00</topic>');
  assert.equal(text, '\ufffd\ufffd');
  assert.deepEqual(entities, [{ kind: 'topic', start: 1, end: 2 }]);
});
