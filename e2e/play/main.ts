/**
 * `npm run play [-- --out DIR] [-- --only NAME]`: plays five people's stories against the running product on the
 * sandbox network and keeps what each of them sees, for a reader who does not know the code.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { client } from './client.ts';
import { customer } from './customer.ts';
import { developer } from './developer.ts';
import { Notes } from './notes.ts';
import { operator } from './operator.ts';
import { shopOwner } from './shop-owner.ts';
import { Stage } from './stage.ts';

const STORIES = [developer, client, shopOwner, customer, operator];
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'play-results' }, only: { type: 'string' } },
});
const chosen = STORIES.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new Error(`--only is one of ${STORIES.map(({ name }) => name).join(', ')}`);

for (const { name, situation, env, play } of chosen) {
  const directory = path.resolve(values.out, name);
  const from = performance.now();
  const notes = new Notes(directory);
  notes.says('you', situation);
  const stage = await Stage.open(notes, env);
  try {
    await stage.start();
    await play(stage);
  } finally {
    await stage.close();
  }
  console.log(`${name}: ${Math.round((performance.now() - from) / 1000)} s, ${directory}`);
}
// The mail server and the lent database leave timers behind.
process.exit(0);
