import { afterEach, expect, test, vi } from 'vitest';
import { HOOK_ERRORS } from './page/hook-errors.ts';
import { gateJob, OWN_TYPES } from './page/job.ts';
import { tapLogin } from './page/login.ts';
import { keepBrowser } from './page/prelude.ts';
import type { PageReport } from './page/sending.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const ID = '3EB0000000000000000001';

/** What the gate reports about a message that passed it and whose job does `write` in the page. */
async function reportsOf(
  write: (answer: (attrs: object) => void) => Promise<unknown>,
  { ack = 0, mayWrite = true } = {},
) {
  vi.useFakeTimers();
  const reports: PageReport[] = [];
  const answered = vi.fn();
  const config = { handlers: { onHandleStanza: answered } };
  const answer = (attrs: object) =>
    modules.WAWebCommsConfig.getCommsConfig().handlers.onHandleStanza({ tag: 'ack', attrs });
  const modules = {
    WAWebCommsConfig: { getCommsConfig: () => config },
    WAWebSendMsgJob: { encryptAndSendMsg: async (_: object) => write(answer) },
  };
  const window = {
    Debug: { VERSION: '2.3000' },
    require: (name: keyof typeof modules) => {
      if (!modules[name]) throw new Error(`no module ${name}`);
      return modules[name];
    },
    wirebirdPassed: new Set([ID]),
    wirebirdLogin: async () => {},
    wirebirdMayWrite: async () => mayWrite,
    wirebirdReport: async (id: string, report: PageReport) => {
      if (id === ID) reports.push(report);
    },
  };
  const timers = { setTimeout, setInterval, clearInterval, Promise };
  vi.stubGlobal('window', Object.assign(window, timers, { top: window }));
  keepBrowser();
  tapLogin(10);
  gateJob(10, OWN_TYPES, HOOK_ERRORS);
  await vi.advanceTimersByTimeAsync(20);
  const job = modules.WAWebSendMsgJob.encryptAndSendMsg({ data: { id: { id: ID }, ack } });
  await job.catch(() => {});
  return reports;
}

const broken = () => Promise.reject(new TypeError('r: r'));

test('a job that fails after WhatsApp has accepted its message is no failed message', async () => {
  const accepted = await reportsOf((answer) => {
    answer({ class: 'message', id: ID });
    return broken();
  });
  expect(accepted).toEqual([{ step: 'job', error: null }]);
});

test.each([
  ['before any answer', {}],
  ['after the answer to another message', { class: 'message', id: '3EB0000000000000000002' }],
  ['after the answer to a receipt', { class: 'receipt', id: ID }],
])('a job that fails %s reports its failure', async (_, attrs) => {
  const reports = await reportsOf((answer) => {
    answer(attrs);
    return broken();
  });
  expect(reports).toEqual([{ step: 'jobFailed', error: 'TypeError: r: r', through: true }]);
});

test('a job that fails after WhatsApp has refused its message leaves the refusal', async () => {
  const reports = await reportsOf((answer) => {
    answer({ class: 'message', id: ID, error: '463' });
    return broken();
  });
  expect(reports[0]).toEqual({ step: 'refused', error: 463 });
  expect(reports).not.toContainEqual({ step: 'job', error: null });
});

test.each([
  ['an accepted message is repeated for a device that asks for it', 1, 1],
  ['an unanswered message is not repeated', 0, 0],
])('a job that the gate refuses: %s', async (_, ack, times) => {
  const write = vi.fn(async () => ({ error: null }));
  await reportsOf(write, { ack, mayWrite: false });
  expect(write).toHaveBeenCalledTimes(times);
});
