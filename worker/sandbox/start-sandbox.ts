import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { connectSandbox, type SandboxControl } from '#server/sandbox/client.ts';
import {
  type ControlFile,
  controlFilePath,
  readControlFile,
  sandboxDirectory,
} from '#server/sandbox/control-file.ts';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import { certificateFor } from './certificate.ts';
import { chromiumArgs, SITE_HOST } from './chromium-args.ts';
import { createControlServer } from './control-server.ts';
import { close, listen } from './http.ts';
import { MediaFiles } from './media-files.ts';
import { Network } from './network/network.ts';
import { createPageServer } from './page-server.ts';
import { createSamplesServer, sampleUrls } from './samples-server.ts';
import { Store } from './store.ts';

export interface SandboxOptions {
  /** State is kept under `<dataDir>/sandbox`, or in `SANDBOX_DIR`. */
  dataDir: string;
  /** Changes to the network's configuration. They persist, like changes through the control API. */
  config?: Partial<NetworkConfig>;
}

export interface Sandbox {
  control: SandboxControl;
  controlFile: ControlFile;
  /** The arguments that direct a browser to the sandbox instead of WhatsApp. */
  chromiumArgs: string[];
  /** Closes everything and removes the control file. The state stays. */
  stop(): Promise<void>;
}

/**
 * Starts a sandbox in this process. It listens on loopback, on its previous ports if they are free, and writes the control
 * file when it is ready. Rejects if another one runs on the same directory.
 */
export async function startSandbox({ dataDir, config = {} }: SandboxOptions): Promise<Sandbox> {
  const directory = sandboxDirectory(dataDir);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  await refuseIfRunning(dataDir);

  const store = new Store(path.join(directory, 'journal.jsonl'));
  const network = new Network(store, new MediaFiles(path.join(directory, 'media')), config);
  const certificate = certificateFor(SITE_HOST, path.join(directory, 'certificate-key.pem'));
  const token = crypto.randomBytes(32).toString('base64url');
  const servers = {
    https: createPageServer(network, certificate),
    control: createControlServer(network, token),
    samples: createSamplesServer(),
  };

  const last = store.get('ports', 'ports');
  const ports = {
    https: await listen(servers.https, last?.https ?? 0),
    control: await listen(servers.control, last?.control ?? 0),
    samples: await listen(servers.samples, last?.samples ?? 0),
  };
  store.put('ports', 'ports', ports);

  const controlFile: ControlFile = {
    url: `http://127.0.0.1:${ports.control}`,
    token,
    httpsPort: ports.https,
    spki: certificate.spki,
    pid: process.pid,
    samples: sampleUrls(ports.samples),
  };
  writeControlFile(dataDir, controlFile);

  return {
    control: connectSandbox(() => controlFile),
    controlFile,
    chromiumArgs: chromiumArgs(controlFile),
    async stop() {
      fs.rmSync(controlFilePath(dataDir), { force: true });
      network.connections.close();
      await Promise.all(Object.values(servers).map(close));
      store.close();
    },
  };
}

/** Two sandboxes on one journal would lose each other's changes, so the second one refuses to start. */
async function refuseIfRunning(dataDir: string): Promise<void> {
  let found: ControlFile;
  try {
    found = readControlFile(dataDir);
  } catch {
    return; // none, or truncated by a crash
  }
  const answer = await fetch(`${found.url}/health`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
  const health = (await answer?.json().catch(() => null)) as { pid?: number } | null | undefined;
  if (health?.pid === found.pid) {
    throw new Error(
      `A sandbox (process ${found.pid}) already runs on ${sandboxDirectory(dataDir)}. Stop it, or set another DATA_DIR or SANDBOX_DIR.`,
    );
  }
}

function writeControlFile(dataDir: string, controlFile: ControlFile): void {
  const file = controlFilePath(dataDir);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(controlFile, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}
