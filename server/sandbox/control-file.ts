import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import { settings } from '#server/settings.ts';

/** Addresses of the sample files by name, and the host:port that the media fetcher must allow. */
const Samples = z.object({ host: z.string() }).catchall(z.url());
export type Samples = z.output<typeof Samples>;

/** `control.json` in the sandbox's directory: where a running sandbox is and how to reach it. Readable by its user only. */
export const ControlFile = z.object({
  /** The address of the control API. */
  url: z.url(),
  token: z.string().min(32),
  httpsPort: z.int(),
  /** Base64 SHA-256 of the page's public key. */
  spki: z.string(),
  pid: z.int(),
  samples: Samples,
});
export type ControlFile = z.output<typeof ControlFile>;

/** The sandbox's directory: below the data directory, unless `SANDBOX_DIR` names one that several installations share. */
export const sandboxDirectory = (dataDir: string): string =>
  settings.sandboxDir ?? path.join(dataDir, 'sandbox');

export const controlFilePath = (dataDir: string): string =>
  path.join(sandboxDirectory(dataDir), 'control.json');

/**
 * Where the running sandbox of a data directory is. Throws `unavailable` if it is off, was not started, or its file cannot be
 * read.
 */
export function readControlFile(dataDir: string = settings.dataDir): ControlFile {
  const file = controlFilePath(dataDir);
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const message = settings.sandbox
      ? 'The sandbox is not running. Run "npm start", or "npm run start:sandbox" with the same SANDBOX_DIR if web and worker are separate processes. If it is just starting, wait a moment.'
      : 'The sandbox is switched off. Set SANDBOX=on and start Wirebird again.';
    throw new AppError('unavailable', message, { cause });
  }
  try {
    return ControlFile.parse(JSON.parse(text));
  } catch (cause) {
    const message = `The sandbox's control file ${file} cannot be read. Start Wirebird again to rewrite it.`;
    throw new AppError('unavailable', message, { cause });
  }
}
