// The page: a search box, facets, hits with highlights, and pages, by the widgets of InstantSearch.

import Client from '@searchkit/instantsearch-client';
import type { ComponentProps } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Highlight,
  Hits,
  InstantSearch,
  Pagination,
  RefinementList,
  SearchBox,
  Stats,
} from 'react-instantsearch';
import './page.css';

const searchClient = Client({ url: '/search' });

function SynsetHit({ hit }: Pick<ComponentProps<typeof Highlight>, 'hit'>) {
  return (
    <article>
      <h2>
        <Highlight attribute="words" hit={hit} />
      </h2>
      <p>
        <Highlight attribute="definition" hit={hit} />
      </p>
    </article>
  );
}

createRoot(document.getElementById('root')!).render(
  <InstantSearch
    indexName="wordnet"
    searchClient={searchClient}
    future={{ preserveSharedStateOnUnmount: true }}
  >
    <SearchBox placeholder="Search words and definitions" autoFocus />
    <div className="columns">
      <nav aria-label="Filters">
        <h3>Part of speech</h3>
        <RefinementList attribute="pos" />
        <h3>Topic</h3>
        <RefinementList attribute="lexname" searchable />
      </nav>
      <main>
        <Stats />
        <Hits hitComponent={SynsetHit} />
        <Pagination />
      </main>
    </div>
  </InstantSearch>,
);
