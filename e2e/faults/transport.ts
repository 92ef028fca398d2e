import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { sandboxClient } from '#server/sandbox/client.ts';
import { controlFilePath } from '#server/sandbox/control-file.ts';
import { FAILING_BUILDS, type NetworkConfig } from '#server/sandbox/network-config.ts';
import type { Rule } from '#server/sandbox/rule.ts';
import { processesOf, profilePath } from '#worker/engine/profile.ts';
import type { NetworkRule } from '#worker/testing/network-frames.ts';
import { NetworkServer } from '#worker/testing/network-server.ts';
import { Child, type ChildPlan } from './child.ts';

const ROOT = path.join(import.meta.dirname, '../..');

export type TransportName = 'chromium' | 'browserless';
export type FaultRule = z.input<typeof Rule>;
/** The page's property with a message key's text: a build has one or the other. */
export type KeyField = NetworkConfig['keyField'];
export const KEY_FIELDS: readonly KeyField[] = ['$1', '_serialized'];

/** How WhatsApp refuses logins: a temporary ban (402), the page's version (405), an unavailable service (503). */
export interface RefusedLogin {
  reason: 402 | 405 | 503;
  /** For a ban: seconds left. */
  expire?: number;
}

interface OfNumber {
  numberId: string;
  phone: string;
}

export interface Delivered {
  id: string;
  to: string;
  body?: string | undefined;
  /** ms since the epoch. */
  at: number;
  repeats: number;
}

/** WhatsApp's side of a test: linked phones, faults, and the actual deliveries. */
export interface Transport {
  name: TransportName;
  /** Options of the worker. */
  worker: Pick<ChildPlan, 'entry' | 'args'>;
  start(): Promise<void>;
  /** The phone scans the number's code. `qr` returns the current code. */
  link(number: OfNumber, qr: () => Promise<string | null>): Promise<void>;
  rule(number: OfNumber, rule: FaultRule): Promise<void>;
  /** True once every ordered rule has taken effect. */
  struck(number: OfNumber): Promise<boolean>;
  clearRules(number: OfNumber): Promise<void>;
  /** From now on the number's messages are delivered and read soon after they are sent. */
  acknowledge(number: OfNumber): void;
  /** Cuts the number's page off from WhatsApp's server; the page keeps running. `silently`: it notices late. */
  disconnect(number: OfNumber, options: { silently: boolean }): Promise<void>;
  reconnect(number: OfNumber): Promise<void>;
  /** The identity of a number's browser: it changes when the browser restarts. */
  browserOf(number: OfNumber): string;
  /** The session is opened elsewhere. */
  replaced(number: OfNumber): Promise<void>;
  /** WhatsApp refuses the number's logins from now on, or accepts them again. */
  refuseLogins(number: OfNumber, refused: RefusedLogin): Promise<void>;
  acceptLogins(number: OfNumber): Promise<void>;
  /** Gives the number's page a build that fails its self-test in one of several ways; returns the way. */
  changeBuild(number: OfNumber, way: number): Promise<string>;
  restoreBuild(number: OfNumber): Promise<void>;
  unlinkOnPhone(number: OfNumber): Promise<void>;
  inbox(number: OfNumber): Promise<Delivered[]>;
  /** A violation of what must hold during the whole run; null if there is none. */
  complaint(): string | null;
  stop(): Promise<void>;
}

/** The simulated WhatsApp Web in real Chromium. */
export function chromiumTransport(
  dataDir: string,
  env: Record<string, string>,
  keyField: KeyField,
): Transport {
  const sandbox = new Child({
    entry: path.join(ROOT, 'worker/sandbox/main.ts'),
    env,
    isReady: (pid) => pidIn(controlFilePath(dataDir)) === pid,
  });
  const control = sandboxClient(dataDir);
  return {
    name: 'chromium',
    worker: { entry: path.join(ROOT, 'worker/main.ts') },
    async start() {
      await sandbox.start();
      await control.configure({ keyField });
    },
    async link({ phone }, qr) {
      const code = await qr();
      if (code) await control.scan({ phone, qr: code });
    },
    async rule({ phone }, rule) {
      await control.addRule({ phone, rule });
    },
    async struck({ phone }) {
      return (await control.rules({ phone })).every(({ left }) => left === 0);
    },
    async clearRules({ phone }) {
      await control.clearRules({ phone });
    },
    acknowledge() {}, // the simulated phones do
    async disconnect({ phone }, { silently }) {
      await control.offline({ phone, silently });
    },
    async reconnect({ phone }) {
      await control.online({ phone });
    },
    browserOf: ({ numberId }) =>
      processesOf(profilePath(dataDir, numberId))
        .filter(({ command }) => !command.includes(' --type='))
        .map(({ pid }) => pid)
        .sort()
        .join(' '),
    async replaced({ phone }) {
      await control.replaced({ phone });
    },
    async refuseLogins({ phone }, refused) {
      await control.refuse({ phone, ...refused });
    },
    async acceptLogins({ phone }) {
      await control.accept({ phone });
    },
    async changeBuild({ phone }, way) {
      const brokenBuild = FAILING_BUILDS[way % FAILING_BUILDS.length] ?? 'no-send';
      await control.configure({ brokenBuild });
      await control.reload({ phone });
      return brokenBuild;
    },
    async restoreBuild() {
      await control.configure({ brokenBuild: null });
    },
    async unlinkOnPhone({ phone }) {
      await control.unlink({ phone });
    },
    async inbox({ phone }) {
      const entries = await control.inbox({ phone });
      return entries.map(({ id, to, body, caption, at, repeats = 0 }) => ({
        id,
        to,
        body: body ?? caption,
        at,
        repeats,
      }));
    },
    complaint: () => null,
    stop: () => sandbox.end('SIGTERM'),
  };
}

/** A network without browsers, in this process: everything above the engine's port is as in production. */
export async function browserlessTransport(travelMsMax: number): Promise<Transport> {
  const network = await NetworkServer.start();
  network.travelMsMax = travelMsMax;
  const { reach } = network;
  return {
    name: 'browserless',
    worker: {
      entry: path.join(ROOT, 'worker/testing/browserless-worker.ts'),
      args: [String(network.port)],
    },
    start: async () => {},
    link: async ({ numberId, phone }) => network.link(numberId, phone),
    rule: async ({ numberId }, rule) => network.rule(numberId, rule as NetworkRule),
    struck: async ({ numberId }) => !network.hasRules(numberId),
    clearRules: async ({ numberId }) => network.clearRules(numberId),
    acknowledge: ({ numberId }) => void network.acknowledging.add(numberId),
    disconnect: async ({ numberId }, options) => reach.disconnect(numberId, options),
    reconnect: async ({ numberId }) => reach.reconnect(numberId),
    browserOf: ({ numberId }) => String(network.opened(numberId)),
    replaced: async ({ numberId }) => reach.replace(numberId),
    refuseLogins: async ({ numberId }, { reason, expire }) =>
      reach.refuse(numberId, { reason: String(reason), expireSeconds: expire }),
    acceptLogins: async ({ numberId }) => reach.refuse(numberId, null),
    async changeBuild({ numberId }, way) {
      const running = way % 2 === 1;
      reach.changeBuild(numberId, { running });
      return running ? 'canary' : 'loaded again';
    },
    restoreBuild: async ({ numberId }) => reach.restoreBuild(numberId),
    unlinkOnPhone: async ({ numberId }) => network.unlink(numberId),
    inbox: async ({ numberId }) => network.inbox(numberId),
    complaint() {
      if (network.doubled > 0) return `a number had two sessions at once, ${network.doubled} times`;
      return network.rewound > 0 ? `a session went back in time, ${network.rewound} times` : null;
    },
    stop: () => network.stop(),
  };
}

function pidIn(file: string): number | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).pid;
  } catch {
    return null;
  }
}
