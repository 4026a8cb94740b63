// The entry of the console.

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { noteFailure } from './frame/session.ts';
import { applyTheme } from './frame/theme.ts';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/views.css';

applyTheme();

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  // The client repeats what may succeed later.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
});

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
