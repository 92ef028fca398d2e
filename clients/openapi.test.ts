import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENT_DOCUMENT, clientDocument } from '../scripts/client-document.ts';

test('clients/openapi.json is the current document (npm run clients:document updates it)', () => {
  expect(fs.readFileSync(CLIENT_DOCUMENT, 'utf8')).toBe(clientDocument());
});

test('each client has the major version of the API, and a workflow that publishes it', () => {
  const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, file), 'utf8');
  const [api] = JSON.parse(clientDocument()).info.version.split('.');
  const versions = {
    typescript: JSON.parse(read('typescript/package.json')).version,
    n8n: JSON.parse(read('n8n/package.json')).version,
    python: /^VERSION = "([^"]+)"$/m.exec(read('python/src/wirebird/_version.py'))?.[1],
  };
  for (const [client, version] of Object.entries(versions)) {
    expect([client, version?.split('.')[0]]).toEqual([client, api]);
    expect(read(`../.github/workflows/publish-${client}.yml`)).toContain(`tags: ['${client}-v*']`);
  }
});
