import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject, vi } from 'vitest';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import { type Sandbox, startSandbox } from '#worker/sandbox/start-sandbox.ts';

/** Waits for a condition: repeats `check` until it passes, for at most 30 s. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });

export function temporaryDirectory(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-sandbox-'));
}

/** The page build that this test run uses. */
export function playedPage(): Partial<NetworkConfig> {
  const keyField = inject('keyField');
  return keyField === undefined ? {} : { keyField };
}

/** A page that whatsapp-web.js 1.34.7 can send files and cards with: one of before September 2026. */
export const LIBRARYS_PAGE: Partial<NetworkConfig> = { mediaModelId: false, lazyModules: [] };

/** A separate sandbox without stored data, with a page that the library knows: `await using` stops it and deletes its directory. */
export async function temporarySandbox(
  config: Partial<NetworkConfig> = {},
): Promise<Sandbox & AsyncDisposable> {
  const dataDir = temporaryDirectory();
  const sandbox = await startSandbox({
    dataDir,
    config: { reconnectStepMs: 50, ...playedPage(), ...LIBRARYS_PAGE, ...config },
  });
  return {
    ...sandbox,
    async [Symbol.asyncDispose]() {
      await sandbox.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
