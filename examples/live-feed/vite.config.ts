// Serves the page, and passes its requests below /api on to Octavo. A key stays here: the browser never sees it.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const { OCTAVO_URL = 'http://127.0.0.1:9200', OCTAVO_KEY } = process.env;
const headers = OCTAVO_KEY === undefined ? {} : { authorization: `Bearer ${OCTAVO_KEY}` };

export default defineConfig({
  plugins: [react()],
  server: { host: '127.0.0.1', proxy: { '/api': { target: OCTAVO_URL, headers } } },
});
