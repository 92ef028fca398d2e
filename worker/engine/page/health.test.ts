import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { watchHealth } from './health.ts';
import { lookUpPerson } from './look-up.ts';
import { keepBrowser } from './prelude.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function stubPage(page: object): void {
  const window = { ...page, setTimeout, setInterval, clearInterval, Promise };
  vi.stubGlobal('window', Object.assign(window, { top: window }));
  keepBrowser();
}

const from = (server: string, user: string) => ({ id: { fromMe: false, remote: { server, user } } });

test('a hidden ID that the page cannot translate hides neither other people nor restrictions', async () => {
  vi.useFakeTimers();
  const reported: string[][] = [];
  const limitsChanged = vi.fn(async () => {});
  const Msg = Object.assign(new EventEmitter(), {
    getModelsArray: () => [from('lid', '1000'), from('c.us', '491700000001')],
  });
  const Cmd = new EventEmitter();
  const getPhoneNumber = () => {
    throw new TypeError('this build has renamed it');
  };
  const modules: Record<string, object> = {
    WAWebCollections: { Msg, Chat: { getModelsArray: () => [] } },
    WAWebApiContact: { getPhoneNumber },
    WAWebCmd: { Cmd },
  };
  stubPage({
    require: (name: string) => modules[name],
    wirebirdReceivedFrom: async (digits: string[]) => void reported.push(digits),
    wirebirdLimitsChanged: limitsChanged,
  });

  watchHealth(100);
  Msg.emit('add', from('lid', '2000'));
  Msg.emit('add', from('c.us', '491700000002'));
  Cmd.emit('reachout_timelock_state_change');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reported).toEqual([['491700000001', '491700000002']]);
  expect(limitsChanged).toHaveBeenCalledOnce();
});

test('a person who wrote under a hidden ID is reported once a look-up has shown the number', async () => {
  vi.useFakeTimers();
  const reported: string[][] = [];
  const numbers = new Map<string, object>();
  const Msg = Object.assign(new EventEmitter(), { getModelsArray: () => [] });
  const modules: Record<string, object> = {
    WAWebCollections: { Msg, Chat: { getModelsArray: () => [] } },
    WAWebApiContact: { getPhoneNumber: ({ user }: { user: string }) => numbers.get(user) },
    WAWebCmd: { Cmd: new EventEmitter() },
    WAWebWidFactory: { createWid: (id: string) => id },
    WAWebQueryExistsJob: {
      async queryWidExists(wid: string) {
        numbers.set('1000', { server: 'c.us', user: '491700000003' });
        return { wid };
      },
    },
  };
  stubPage({
    require: (name: string) => modules[name],
    wirebirdReceivedFrom: async (digits: string[]) => void reported.push(digits),
  });

  watchHealth(100);
  Msg.emit('add', from('lid', '1000'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reported).toEqual([]);
  for (let times = 0; times < 2; times++) {
    expect(await lookUpPerson('491700000003@c.us')).toEqual({ wid: '491700000003@c.us' });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(reported).toEqual([['491700000003']]);
});
