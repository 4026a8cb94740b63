import { type Engine, open } from '@octavo/engine';
import { createServer, listen } from '../src/index.ts';
import { indexDefaults } from '../src/wire/templates.ts';

const dir = process.argv[2]!;
let engine: Engine;
engine = await open(dir, { indexDefaults: (name: string) => indexDefaults(engine)(name) } as never);
const app = await createServer(engine);
console.log(await listen(app, { port: Number(process.argv[3] ?? 9391) }));
process.on('SIGINT', async () => {
  await app.close();
  await engine.close();
  process.exit(0);
});
