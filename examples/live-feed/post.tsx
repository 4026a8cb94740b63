// One post, with its mentions as links. Octavo stores plain text and the positions of the mentions: no HTML is parsed.

import type { Item } from '@octavo/client';
import { MentionText } from '@octavo/mention/react';

const COMPONENTS = {
  user: ({ entity, children }) => <a href={`?as=${encodeURIComponent(entity.username ?? '')}`}>{children}</a>,
  topic: 'b',
  link: ({ href, children }) => <a href={href}>{children}</a>,
} satisfies React.ComponentProps<typeof MentionText>['components'];

export function Post({ item }: { readonly item: Item }) {
  return (
    <article data-id={item.id}>
      <strong>{item.author}</strong> <time>{new Date(item.created_at).toLocaleTimeString()}</time>
      {item.updated_at !== item.created_at && <em> edited</em>}
      <p>
        <MentionText item={item} components={COMPONENTS} />
      </p>
    </article>
  );
}
