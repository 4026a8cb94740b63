import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Window } from 'happy-dom';
import type { Content } from '../content.ts';
import { parseMarkup } from '../parse.ts';
import { mentionNodes, renderMentions } from './index.ts';

function render(content: Content, hrefOf?: () => string) {
  const { document } = new Window({ url: 'http://localhost/' });
  const place = document.createElement('p');
  place.replaceChildren(...mentionNodes(content, document, hrefOf === undefined ? {} : { hrefOf }));
  return place;
}

test('an entity becomes an element with its attributes, text a text node', () => {
  const place = render(parseMarkup('Hi <user username="ada" id="7">Ada</user>!'));
  assert.equal(place.childNodes.length, 3);
  assert.equal(place.textContent, 'Hi Ada!');
  const user = place.querySelector('span');
  assert.equal(user?.getAttribute('data-username'), 'ada');
  assert.equal(user?.getAttribute('data-id'), '7');
  assert.equal(user?.getAttribute('data-kind'), 'user');
  assert.equal(user?.getAttribute('dir'), 'auto');
});

test('nothing in text or attributes becomes markup', () => {
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  const place = render({
    text: `${evil}${evil}`,
    entities: [
      {
        kind: 'user',
        username: `"><img src=x>${evil}`,
        id: "' onclick='x",
        start: evil.length,
        end: 2 * evil.length,
      },
    ],
    unit: 'utf16',
  });
  assert.equal(place.querySelectorAll('*').length, 1);
  assert.equal(place.querySelector('img, script'), null);
  assert.equal(place.textContent, evil + evil);
  assert.equal(place.querySelector('span')?.getAttribute('data-username'), `"><img src=x>${evil}`);
  assert.deepEqual(place.querySelector('span')?.getAttributeNames().sort(), [
    'data-id',
    'data-kind',
    'data-username',
    'dir',
  ]);
});

test('a link is live if it is http, https, mailto or relative; otherwise it is plain text', () => {
  const live = ['https://octavo.example/a?b=1', 'HTTP://x.example', 'mailto:ada@x.example'];
  for (const href of [...live, '/users/ada', '/', './a:b', '../a', '?page=2', '#top']) {
    const place = render(parseMarkup(`<link href="${href}">here</link>`));
    assert.equal(place.querySelector('a')?.getAttribute('href'), href);
    assert.match(place.querySelector('a')?.getAttribute('rel') ?? '', /noopener/);
  }
  const dead = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//x.example',
    '/\\x.example',
    './/x.example',
    'path',
    'https:x',
    'https:\\\\x.example',
    'https://x.example/a b',
    'https://x.example/\u202egpj.exe',
    'file:///etc/passwd',
  ];
  for (const href of dead) {
    const place = render({
      text: 'here',
      entities: [{ kind: 'link', href, start: 0, end: 4 }],
      unit: 'utf16',
    });
    assert.equal(place.querySelector('*'), null, href);
    assert.equal(place.textContent, 'here');
  }
});

test('an address from the caller is checked too', () => {
  const user = parseMarkup('<user username="ada">Ada</user>');
  assert.equal(render(user, () => 'javascript:alert(1)').querySelector('a'), null);
  assert.equal(
    render(user, () => '/users/ada')
      .querySelector('a')
      ?.getAttribute('href'),
    '/users/ada',
  );
  assert.equal(render(user, () => 'https://x.example/ada').querySelector('a')?.textContent, 'Ada');
});

test('content replaces the children of an element', () => {
  const { document } = new Window({ url: 'http://localhost/' });
  const place = document.createElement('p');
  place.textContent = 'before';
  renderMentions(place, parseMarkup('a <topic>b</topic>'));
  assert.equal(place.innerHTML, 'a <span dir="auto" data-kind="topic">b</span>');
});
