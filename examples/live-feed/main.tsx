// Shows the feed of one user, with the form above it. The address names the user: `?as=ada`.

import { OctavoClient } from '@octavo/client';
import { createRoot } from 'react-dom/client';
import { Compose } from './compose.tsx';
import { Post } from './post.tsx';
import { useFeed } from './use-feed.ts';

const octavo = new OctavoClient({ url: location.origin });
const me = new URLSearchParams(location.search).get('as') ?? 'ada';
// Only names of the directory of users can be mentioned.
await octavo.users.put(me, { username: me });

function App() {
  const { items, newer, hasOlder, showNewer, showOlder } = useFeed(octavo);
  return (
    <>
      <h1>Feed of {me}</h1>
      <Compose octavo={octavo} author={me} onPosted={showNewer} />
      {newer > 0 && (
        <button type="button" className="pill" onClick={showNewer}>
          {newer} new
        </button>
      )}
      {items.map((item) => (
        <Post key={item.id} item={item} />
      ))}
      {hasOlder && (
        <button type="button" onClick={showOlder}>
          Older posts
        </button>
      )}
    </>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
