import { test } from 'playwright/test';
import { type Attacked, startAttacked } from './attacks/attacked.ts';
import { canariesStayAway } from './attacks/canaries.ts';
import { edgeIsBounded } from './attacks/edge.ts';
import { headersDoNothing } from './attacks/headers.ts';
import { pagesAreGuarded } from './attacks/pages.ts';
import { nobodyIsLedAway } from './attacks/redirects.ts';
import { type RefusingMailServer, refuseMails } from './attacks/refusing-mail-server.ts';
import { scriptsDoNotRun } from './attacks/scripts.ts';

/** Attacks on one running product, in an order in which each leaves it usable for the next. */
const cleanup = new AsyncDisposableStack();
let attacked: Attacked;
let mails: RefusingMailServer;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  mails = await refuseMails();
  cleanup.defer(() => mails.close());
  attacked = await startAttacked(cleanup, {
    SMTP_URL: mails.url,
    MAIL_FROM: 'wirebird@example.org',
  });
});
test.afterAll(() => cleanup.disposeAsync());

pagesAreGuarded(() => attacked);
headersDoNothing(() => attacked);
edgeIsBounded(() => attacked);
nobodyIsLedAway(() => attacked);
canariesStayAway(() => ({ ...attacked, mails }));
scriptsDoNotRun(() => attacked);
