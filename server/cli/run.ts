import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { type Database, openDatabase, setDatabase } from '#server/platform/db/client.ts';
import { LOST } from '#server/platform/db/connection.ts';
import { log } from '#server/platform/log.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { settings } from '#server/settings.ts';
import { type StartedDatabase, startDatabase } from '#server/start/database.ts';
import { explainDatabase } from '#server/start/explain-database.ts';
import { readyDatabase } from '#server/start/ready-database.ts';
import { CALL, type Command, Lines, type OpenDatabaseOptions, UsageError } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { doctorCommands } from './commands/doctor.ts';
import { installationCommands } from './commands/installation.ts';
import { keyCommands } from './commands/key.ts';
import { numberCommands } from './commands/number.ts';
import { sandboxCommands } from './commands/sandbox.ts';
import { userCommands } from './commands/user.ts';
import { whatsappCommands } from './commands/whatsapp.ts';

/** Every command of the operator's command line. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...userCommands,
  ...numberCommands,
  ...keyCommands,
  ...sandboxCommands,
  ...whatsappCommands,
  ...doctorCommands,
  ...installationCommands,
];

const CONNECTIONS = 4;

/** Runs the command and returns its output. Everything that it started has ended by then. */
export async function run(argv: string[]): Promise<unknown> {
  // Errors are one line, unless a log level asks for more.
  if (settings.logLevel !== 'debug' && settings.logLevel !== 'trace') log.level = 'silent';
  const [group = '', verb = '', ...args] = argv;
  if (group === 'help') return helpOf([verb, ...args]);
  if (argv.some(isHelp)) return helpOf(argv.filter((arg) => !isHelp(arg)));
  const single = COMMANDS.find(({ name }) => name === group);
  const found = single ?? COMMANDS.find(({ name }) => name === `${group} ${verb}`);
  if (!found) throw new UsageError(notFound(`${group} ${verb}`.trim(), group));
  await using opened = new OpenedDatabase();
  try {
    return await found.run(single ? argv.slice(1) : args, {
      database: (how) => opened.open(how),
      databaseUrl: async (how) => (await opened.started(how)).url,
    });
  } catch (error) {
    throw await opened.explain(error);
  }
}

/** The commands of a group, such as `key`; all of them if there is no such group. */
function ofGroup(group: string): readonly Command[] {
  const those = COMMANDS.filter(({ name }) => name.split(' ')[0] === group);
  return those.length > 0 ? those : COMMANDS;
}

function notFound(called: string, group: string): string {
  const names = ofGroup(group).map(({ name }) => name);
  const wrong = called === '' ? 'Name a command' : `There is no command "${called}"`;
  return `${wrong}. Commands: ${names.join(', ')}. To see what each does: ${CALL} help`;
}

const isHelp = (arg: string) => arg === '--help' || arg === '-h';

/** What a command, the commands of a group, or all of them do, and how to call each. */
function helpOf([group = '', verb = '']: string[]): Lines {
  const one = COMMANDS.filter(({ name }) => name === group || name === `${group} ${verb}`);
  const commands = one.length > 0 ? one : ofGroup(group);
  const isGroup = group === '' || (verb === '' && commands !== COMMANDS);
  if (one.length === 0 && !isGroup) throw new UsageError(notFound(`${group} ${verb}`.trim(), group));
  return new Lines(
    commands.flatMap(({ does, usage }, place) => [...(place ? [''] : []), usage, `  ${does}`]),
  );
}

/** The installation's database, opened on first use; an embedded one is started if none runs. */
class OpenedDatabase implements AsyncDisposable {
  readonly #end: (() => Promise<unknown>)[] = [];
  #started: Promise<StartedDatabase> | undefined;
  #opened: Promise<Database> | undefined;

  open(how: OpenDatabaseOptions = {}): Promise<Database> {
    this.#opened ??= this.#open(how);
    return this.#opened;
  }

  started({ restoring = false, creates = restoring }: OpenDatabaseOptions = {}): Promise<StartedDatabase> {
    const { databaseUrl, dataDir } = settings;
    this.#started ??= startDatabase({ databaseUrl, dataDir, creates, restoring }).then((started) => {
      this.#end.push(() => started.release());
      return started;
    });
    return this.#started;
  }

  /** A failed statement as a sentence, without its text and its parameters; other errors as they are. */
  async explain(error: unknown): Promise<unknown> {
    const refused = refusalOf(error);
    if (!this.#started || refused === null) return error;
    const problem = explainDatabase(error, await this.#started);
    return new Error(problem ?? `The database refused a statement of this command (${refused}).`);
  }

  async #open(how: OpenDatabaseOptions): Promise<Database> {
    const started = await this.started(how);
    const { dataDir } = settings;
    const { restoring = false, replacing = false } = how;
    const { anySecrets = restoring, creates = restoring } = how;
    const onWaiting = (what: string) => void (process.stderr.isTTY && process.stderr.write(`${what}\n`));
    const { url, place } = started;
    await readyDatabase({ url, place, dataDir, anySecrets, creates, replacing, onWaiting });
    const database = openDatabase(started.url, CONNECTIONS);
    this.#end.unshift(stopClientBoss, () => database.close());
    setDatabase(database);
    return database;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#end) await end();
  }
}

/** What the database said; null for an error that is not the database's. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof DrizzleQueryError) return refusalOf(error.cause);
  return error instanceof pg.DatabaseError || ('code' in error && error.code === LOST) ? error.message : null;
}
