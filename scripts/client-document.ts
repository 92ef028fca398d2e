/**
 * `npm run clients:document`: writes the OpenAPI document that the clients are generated from. It names no
 * installation. A test fails when the committed file is out of date.
 */
import fs from 'node:fs';
import path from 'node:path';
import { PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { openApiDocument } from '#server/rest/openapi.ts';

export const CLIENT_DOCUMENT = path.join(import.meta.dirname, '../clients/openapi.json');

/** The document as it is committed. */
export function clientDocument(): string {
  const document = {
    ...openApiDocument(PLACEHOLDER_FILES),
    servers: [{ url: 'http://localhost:3000/v1' }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

if (import.meta.main) fs.writeFileSync(CLIENT_DOCUMENT, clientDocument());
