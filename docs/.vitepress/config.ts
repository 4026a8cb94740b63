// The documentation site: the pages of docs/ with navigation by task and a local search. It loads nothing from other hosts.
// docs/ is a package of its own, so that `npm ci` of the repository stays small; `npm run docs:build` installs and builds it.

import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { sidebar } from './sidebar.ts';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** The path of a link that leaves docs/, from the root of the repository. */
function outside(page: string, href: string): string | undefined {
  if (/^[a-z]+:|^[/#]/i.test(href)) return undefined;
  const target = resolve(join(DOCS, dirname(page)), href.split('#')[0] ?? '');
  const path = relative(DOCS, target);
  return path.startsWith('..') || (existsSync(target) && !/\.\w+$/.test(path))
    ? relative(dirname(DOCS), target)
    : undefined;
}

export default defineConfig({
  title: 'Octavo',
  description: 'Lists, feeds, search and export behind an app',
  lang: 'en',
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vitepress', import.meta.url)),
  cleanUrls: true,
  // A link that leads nowhere ends the build.
  ignoreDeadLinks: false,
  themeConfig: {
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
  markdown: {
    // Anchors as on GitHub, where the pages are read too.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replace(/\s/g, '-'),
    },
    config(markdown) {
      // Vue reads nothing in code: braces in a template are text.
      markdown.core.ruler.push('code_as_it_is', (state) => {
        for (const { children } of state.tokens)
          for (const token of children ?? []) if (token.type === 'code_inline') token.attrSet('v-pre', '');
      });
      // Links to code become plain text: the site has only the pages of docs/.
      markdown.core.ruler.push('links_outside', (state) => {
        const page = (state.env as { relativePath?: string }).relativePath ?? '';
        for (const { children } of state.tokens) {
          let dropped = 0;
          for (const token of children ?? []) {
            const href = token.attrGet('href');
            if (token.type === 'link_open' && href !== null && outside(page, href) !== undefined) {
              token.type = 'html_inline';
              token.tag = '';
              token.content = `<span title="${outside(page, href)} in the repository">`;
              token.nesting = 0;
              dropped++;
            } else if (token.type === 'link_close' && dropped > 0) {
              token.type = 'html_inline';
              token.tag = '';
              token.content = '</span>';
              token.nesting = 0;
              dropped--;
            }
          }
        }
      });
    },
  },
  // The pages are outside this package: what they import is resolved here.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
});
