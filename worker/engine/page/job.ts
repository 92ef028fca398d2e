/**
 * The gate in the page's job that writes a message's stanza. It also holds back what the page would send on its own after
 * a restart. The function is sent into the page as text, so it may use only its arguments and the page's globals.
 */

import type { HOOK_ERRORS } from './hook-errors.ts';
import type { PreludePage } from './prelude.ts';
import type { GatedPage } from './sending.ts';

/** Names of our functions that the page can call. */
export const MAY_WRITE = 'wirebirdMayWrite';
export const HELD_BACK = 'wirebirdHeldBack';

/** The page's types for the messages that we send. It also writes others, of its own, which are never held back. */
export const OWN_TYPES = ['chat', 'image', 'audio', 'ptt', 'document', 'location', 'vcard'];

interface JobResult {
  error?: unknown;
}
type Job = (
  request: { data?: { id?: { id?: string }; type?: string; ack?: number } } | undefined,
  ...more: unknown[]
) => Promise<JobResult | undefined>;

interface Modules {
  WAWebSendMsgJob: { encryptAndSendMsg: Job };
  WAComms: { isSocketConnected(): boolean; sendPing(): Promise<boolean> };
  WAWebEventsWaitForOfflineDeliveryEnd: { isOfflineDeliveryEnd?(): boolean };
}
interface JobPage extends PreludePage, Omit<GatedPage, 'require'> {
  require?<K extends keyof Modules>(name: K): Modules[K];
  wirebirdMayWrite(id: string): Promise<boolean>;
  wirebirdHeldBack(id: string): Promise<void>;
}

/**
 * Hooks the job. A message that passed the gate in this document is written if `wirebirdMayWrite` still allows it, and
 * the job's result is reported. One that did not pass is refused. Run it in each new document: it polls for the job every
 * `pollMs`, because the page may resume right after its login.
 */
export function gateJob(pollMs: number, types: readonly string[], errors: typeof HOOK_ERRORS): void {
  if (window.top !== window) return;
  const site = window as unknown as JobPage;
  const RECONNECT_MS = 3_000;
  /** Less than a message's time for its acknowledgement. */
  const DELIVERY_MS = 20_000;
  const AGAIN_MS = 50;
  site.wirebirdPassed ??= new Set();
  const passed = site.wirebirdPassed;
  const { hook, poll, wait } = site.wirebird;
  const report: GatedPage['wirebirdReport'] = (id, what) => site.wirebirdReport(id, what).catch(() => {});
  const textOf = (error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const moduleOf = <K extends keyof Modules>(name: K): Modules[K] | null => {
    try {
      return site.require?.(name) ?? null;
    } catch {
      return null; // a build without this module; the self-test decides what that means
    }
  };

  /** Waits briefly for a reconnection. Rejects if there is none. */
  const waitForConnection = async () => {
    const comms = moduleOf('WAComms');
    if (!comms) return;
    const until = performance.now() + RECONNECT_MS;
    while (!comms.isSocketConnected()) {
      await comms.sendPing(); // throws if the connection was stopped permanently
      if (performance.now() > until) throw new Error(errors.disconnected);
      await wait(AGAIN_MS);
    }
  };
  const isDelivered = () => {
    try {
      return moduleOf('WAWebEventsWaitForOfflineDeliveryEnd')?.isOfflineDeliveryEnd?.() !== false;
    } catch {
      return true; // a build that answers differently
    }
  };
  /**
   * Waits for what came while the page was offline: the job would wait for it too, past its gate. Rejects once the
   * connection is lost for longer than a brief reconnection.
   */
  const waitForLine = async () => {
    const until = performance.now() + DELIVERY_MS;
    await waitForConnection();
    while (!isDelivered() && performance.now() < until) {
      await wait(AGAIN_MS);
      await waitForConnection();
    }
  };

  const gated =
    (write: Job): Job =>
    async (request, ...more) => {
      const { id: { id = '' } = {}, type = '', ack = 0 } = request?.data ?? {};
      // The page repeats an accepted message for a device that asks for it.
      if (ack > 0) return write(request, ...more);
      if (!passed.has(id)) {
        if (!types.includes(type)) return write(request, ...more);
        site.wirebirdHeldBack(id).catch(() => {});
        throw new Error(errors.heldBack);
      }
      let result: JobResult | undefined;
      let through = false;
      try {
        await waitForLine();
        through = await site.wirebirdMayWrite(id);
        if (!through) throw new Error(errors.heldBack);
        result = await write(request, ...more);
      } catch (error) {
        // A job can also fail after the server's answer.
        if (site.wirebirdAccepted?.has(id)) void report(id, { step: 'job', error: null });
        else void report(id, { step: 'jobFailed', error: textOf(error), through });
        throw error;
      } finally {
        site.wirebirdAccepted?.delete(id);
      }
      const code = result?.error === null ? null : Number(result?.error);
      // In any other form the result shows neither: the acknowledgement decides.
      if (code === null || code > 0) {
        site.wirebirdLastAck = `${id} ${code === null ? 1 : -1}`;
        void report(id, { step: 'job', error: code });
      }
      return result;
    };

  poll(pollMs, () => {
    const job = site.require?.('WAWebSendMsgJob');
    if (!job?.encryptAndSendMsg) return false;
    hook(job, 'encryptAndSendMsg', 'gate', gated);
    return true;
  });
}
