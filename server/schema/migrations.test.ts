import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';
import journal from '../../drizzle/meta/_journal.json' with { type: 'json' };
import * as schema from './index.ts';

test('the migrations make the schema that the code names', async () => {
  const newest = String(journal.entries.at(-1)?.idx).padStart(4, '0');
  const migrated = await import(`../../drizzle/meta/${newest}_snapshot.json`);
  expect(await generateMigration(migrated.default, generateDrizzleJson(schema))).toEqual([]);
});
