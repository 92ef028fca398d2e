import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { sandboxClient } from '#server/sandbox/client.ts';
import { controlFilePath } from '#server/sandbox/control-file.ts';
import type { Rule } from '#server/sandbox/rule.ts';
import { type NetworkRule, NetworkServer } from '#worker/testing/network-server.ts';
import { Child, type ChildPlan } from './child.ts';

const ROOT = path.join(import.meta.dirname, '../..');

export type TransportName = 'chromium' | 'browserless';
export type FaultRule = z.input<typeof Rule>;

export interface Delivered {
  id: string;
  to: string;
  body?: string | undefined;
  /** ms since the epoch. */
  at: number;
  repeats: number;
}

/** WhatsApp's side of a test: who is linked, what goes wrong, and what was delivered, which is the truth. */
export interface Transport {
  name: TransportName;
  /** How the worker is run. */
  worker: Pick<ChildPlan, 'entry' | 'args'>;
  start(): Promise<void>;
  /** The phone scans what the number shows. `qr` asks for the code of the moment. */
  link(number: { numberId: string; phone: string }, qr: () => Promise<string | null>): Promise<void>;
  rule(number: { numberId: string; phone: string }, rule: FaultRule): Promise<void>;
  /** Has every ordered rule begun to strike? */
  struck(number: { numberId: string; phone: string }): Promise<boolean>;
  clearRules(number: { numberId: string; phone: string }): Promise<void>;
  /** Cuts the number's page off from WhatsApp's server; the page lives on. `silently`: it does not notice. */
  lineDown(number: { numberId: string; phone: string }, options: { silently: boolean }): Promise<void>;
  lineUp(number: { numberId: string; phone: string }): Promise<void>;
  unlinkOnPhone(number: { numberId: string; phone: string }): Promise<void>;
  inbox(number: { numberId: string; phone: string }): Promise<Delivered[]>;
  /** What must never be, of the whole run: null when all is well. */
  complaint(): string | null;
  stop(): Promise<void>;
}

/** The simulated WhatsApp Web in real Chromium. */
export function chromiumTransport(dataDir: string, env: Record<string, string>): Transport {
  const sandbox = new Child({
    entry: path.join(ROOT, 'worker/sandbox/main.ts'),
    env,
    isReady: (pid) => pidIn(controlFilePath(dataDir)) === pid,
  });
  const control = sandboxClient(dataDir);
  return {
    name: 'chromium',
    worker: { entry: path.join(ROOT, 'worker/main.ts') },
    start: () => sandbox.start(),
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
    async lineDown({ phone }, { silently }) {
      await control.offline({ phone, silently });
    },
    async lineUp({ phone }) {
      await control.online({ phone });
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
    lineDown: async ({ numberId }, options) => network.lineDown(numberId, options),
    lineUp: async ({ numberId }) => network.lineUp(numberId),
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
