import fs from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENT_DOCUMENT, clientDocument } from '../scripts/client-document.ts';

test('clients/openapi.json is the current document (npm run clients:document updates it)', () => {
  expect(fs.readFileSync(CLIENT_DOCUMENT, 'utf8')).toBe(clientDocument());
});
