// Random highlights, of hits and of hits inside buckets.

import type { Body, Generator } from './generator.ts';
import { makeQuery } from './queries.ts';

export function highlight(g: Generator): Body {
  const { random } = g;
  const options = (): Body =>
    random.members(0.12, {
      type: () => random.pick(['unified', 'plain']),
      fragment_size: () => random.pick([0, 20, 60, 18]),
      number_of_fragments: () => random.int(0, 3),
      order: () => random.pick(['score', 'none']),
      no_match_size: () => random.pick([0, 15]),
      require_field_match: () => random.chance(0.5),
      pre_tags: () => ['<b>'],
      post_tags: () => ['</b>'],
      highlight_query: () => makeQuery(g, 0),
    });
  const fields: Body = {};
  for (const name of random.list(1, 2, () =>
    random.pick([g.field('text').path, g.field('text', 'keyword').path, 't*', '*']),
  ))
    fields[name] = options();
  return {
    fields,
    ...options(),
    ...random.members(0.05, { encoder: () => 'html', tags_schema: () => 'styled' }),
  };
}
