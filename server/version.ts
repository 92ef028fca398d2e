import fs from 'node:fs';
import path from 'node:path';

const manifest: { version: string } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
);

/** Of the product that this process runs. */
export const { version } = manifest;
