import { type Browser, chromium, type Page } from 'playwright';
import { openDatabase } from '#server/platform/db/client.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { type SandboxControl, sandboxClient } from '#server/sandbox/client.ts';
import { embeddedPlace } from '#server/start/database.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { type Sql, type WithSql, withSql } from '#server/testing/sql.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { until } from '../faults/until.ts';
import { signInByForm } from '../sign-in.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Call, type Called, callApi } from './api.ts';
import type { Notes } from './notes.ts';

export const PASSWORD = 'a kingfisher dives at dusk';
/** Alerts are looked for every 10 s. */
const MAIL_WITHIN_MS = 90_000;

export interface Story {
  /** The name of its folder. */
  name: string;
  /** Who the reader is, and what the reader knows. */
  situation: string;
  env?: Record<string, string>;
  play(stage: Stage): Promise<void>;
}

type Mails = Awaited<ReturnType<typeof startSmtpServer>>;

/** One story's product with a mail server, a browser and the notes. */
export class Stage {
  readonly notes: Notes;
  readonly env: Record<string, string>;
  readonly #mails: Mails;
  readonly #recorded = new Set<object>();
  #open: { stack: Stack; database: WithSql; release(): Promise<void> } | null = null;
  #browser: Browser | null = null;

  private constructor(notes: Notes, mails: Mails, env: Record<string, string>) {
    this.notes = notes;
    this.#mails = mails;
    this.env = { SMTP_URL: mails.url, MAIL_FROM: 'Wirebird <alerts@wirebird.example>', ...env };
  }

  static async open(notes: Notes, env: Record<string, string> = {}): Promise<Stage> {
    return new Stage(notes, await startSmtpServer(), env);
  }

  /** Starts the product, on an existing data directory or a new one. */
  async start(how: { dataDir?: string; port?: number } = {}): Promise<Stack> {
    const stack = await startStack({ env: this.env, ...how });
    const server = await ensurePostgres(embeddedPlace(stack.dataDir));
    const database = withSql(openDatabase(server.url, 1));
    const release = async () => {
      await database.close();
      await server.release();
    };
    this.#open = { stack, database, release };
    return stack;
  }

  get stack(): Stack {
    if (!this.#open) throw new Error('the product is not running');
    return this.#open.stack;
  }

  get sql(): Sql {
    if (!this.#open) throw new Error('the product is not running');
    return this.#open.database.sql;
  }

  get sandbox(): SandboxControl {
    return sandboxClient(this.stack.dataDir);
  }

  /** Stops the product and keeps its data. */
  async end(): Promise<void> {
    const { stack, release } = this.#open ?? {};
    this.#open = null;
    await release?.();
    await stack?.end('SIGTERM');
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    const stack = this.#open?.stack;
    await this.#open?.release();
    await stack?.stop();
    await this.#mails.close();
  }

  /** A customer with a plan until a day, and the account's id. */
  async person(email: string, { numbers = 2, until = '2027-11-24', admin = false } = {}): Promise<string> {
    const of = ['--email', email];
    const create = ['account', 'create', ...of, '--password', PASSWORD, ...(admin ? ['--admin'] : [])];
    const { account } = await this.stack.cli<{ account: string }>(...create);
    await this.stack.cli('account', 'activate', ...of, '--numbers', String(numbers), '--until', until);
    return account;
  }

  /** A linked sandbox number with a key. */
  async number(email: string, label: string): Promise<{ instance: string; phone: string; key: string }> {
    const { cli } = this.stack;
    const add = ['number', 'add', '--email', email, '--network', 'sandbox', '--label', label];
    const { instance } = await cli<{ instance: string }>(...add);
    const { phoneNumber: phone } = await cli<{ phoneNumber: string }>(
      'number',
      'link',
      '--instance',
      instance,
    );
    const { key } = await cli<{ key: string }>('key', 'create', '--instance', instance, '--name', 'Backend');
    return { instance, phone, key };
  }

  /** A page of a signed-in person, in a separate browser. */
  async visit(email: string, timezoneId = 'UTC'): Promise<Page> {
    const { executablePath, args, env } = await resolveBrowser({ dataDir: this.stack.dataDir });
    this.#browser ??= await chromium.launch({ executablePath, args, env });
    const viewport = { width: 1280, height: 900 };
    const context = await this.#browser.newContext({ baseURL: this.stack.url, viewport, timezoneId });
    const page = await context.newPage();
    await signInByForm(page, email, PASSWORD);
    return page;
  }

  /** Opens an address and records the screen. */
  async look(
    page: Page,
    at: string,
    what: string,
    how: { widths?: number[]; section?: string } = {},
  ): Promise<void> {
    await page.goto(at);
    // The live updates never end, so the network is never idle.
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {});
    await this.notes.screen(page, what, how);
  }

  call(call: Call): Promise<Called> {
    return callApi(this.stack.url, call);
  }

  /** Calls the API and records the answer. */
  async answer(call: Call): Promise<Called> {
    const called = await this.call(call);
    this.notes.says('answer', called.printed);
    return called;
  }

  /** Waits for this many more mails to a person, and records them. */
  async mailTo(email: string, count = 1): Promise<void> {
    const fresh = () =>
      this.#mails.mails.filter((mail) => mail.to.includes(email) && !this.#recorded.has(mail));
    await until(`${count} mails to ${email}`, () => fresh().length >= count, MAIL_WITHIN_MS);
    for (const mail of fresh()) {
      this.#recorded.add(mail);
      this.notes.mail(mail);
    }
  }
}
