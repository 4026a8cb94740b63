// The navigation of the documentation site: every page of docs is in it once, and every entry is a page.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sidebar } from '../../docs/.vitepress/sidebar.ts';
import { ROOT } from '../tidy.ts';

test('the navigation has every page of docs but the decisions', () => {
  const pages = ['', 'guides/', 'reference/'].flatMap((folder) =>
    readdirSync(join(ROOT, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `/${folder}${name === 'index.md' ? '' : name.slice(0, -'.md'.length)}`),
  );
  const links = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  assert.deepEqual(links.sort(), pages.sort());
});
