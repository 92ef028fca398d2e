import { expect, test } from 'vitest';
import { log } from '#server/platform/log.ts';
import { PageWatch } from './page-watch.ts';
import { ENGINE_TIMES } from './times.ts';

test('why the library misses the sync is logged, and the page is still watched', async () => {
  const logged = Promise.withResolvers<object>();
  const noting = log.child({}, { level: 'silent' });
  noting.warn = (line: unknown) => logged.resolve(line as object);
  let reads = 0;
  const read = Promise.withResolvers<void>();
  const watch = new PageWatch({
    times: { ...ENGINE_TIMES, watchMs: 1, readyHelpMs: 0 },
    log: noting,
    readState: async () => {
      reads += 1;
      if (reads > 3) read.resolve();
      return { socketState: 'CONNECTED', hasSynced: true, unlinked: false, passkeyScreen: false };
    },
    refreshQr: async () => {},
    reportSynced: () => Promise.reject(new Error('the library could not attach')),
    isLoginHandled: () => false,
    isPasskeyAsked: () => false,
    onState: () => {},
    end: () => {},
  });
  watch.start();
  expect(await logged.promise).toMatchObject({ err: { message: 'the library could not attach' } });
  await read.promise;
  watch.stop();
});
