import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseMarkup } from '../parse.ts';
import { type MentionComponents, type MentionProps, MentionText } from './index.ts';

const show = (markup: string, components?: MentionComponents): string =>
  renderToStaticMarkup(
    createElement(MentionText, {
      item: parseMarkup(markup),
      ...(components === undefined ? {} : { components }),
    }),
  );

function User({ entity, children }: MentionProps): ReactElement {
  return createElement('a', { href: `/users/${entity.username}` }, children);
}

function Link({ href, children }: MentionProps): ReactElement {
  return createElement('a', { href }, children);
}

test('without components everything is a string', () => {
  assert.equal(show('Hi <user username="ada">Ada</user> &amp; <topic>all</topic>'), 'Hi Ada &amp; all');
});

test('components get the entity and the text', () => {
  assert.equal(
    show('Hi <user username="ada">Ada</user>, <topic>all</topic>', { user: User, topic: 'b', text: 'span' }),
    '<span>Hi </span><a href="/users/ada">Ada</a><span>, </span><b>all</b>',
  );
});

test('a link component only gets safe addresses', () => {
  assert.equal(
    show('<link href="https://x.example">x</link>', { link: Link }),
    '<a href="https://x.example">x</a>',
  );
  assert.equal(show('<link href="/a?b">x</link>', { link: Link }), '<a href="/a?b">x</a>');
  assert.equal(show('<link href="javascript:alert(1)">x</link>', { link: Link }), 'x');
});

test('text that looks like HTML stays text', () => {
  assert.equal(
    show('<b>x</b><user username="&quot;&gt;">&lt;img&gt;</user>', { user: 'i' }),
    '&lt;b&gt;x&lt;/b&gt;<i>&lt;img&gt;</i>',
  );
});
