import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { inUtc } from '#server/core/new-contacts.ts';
import { chooseBuild, isPinned } from '#server/core/page-build.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { movedAt } from '#server/operations/generation.ts';
import { judgeNumbers } from '#server/operations/judge-numbers.ts';
import { readFigures } from '#server/operations/queries/installation-figures.ts';
import { findNotConnecting } from '#server/operations/queries/not-connecting.ts';
import { aliveProcesses } from '#server/operations/queries/operator.ts';
import { listBuilds } from '#server/operations/queries/page-builds.ts';
import { numbersAway } from '#server/operations/queries/queue-health.ts';
import { findSecretProblem } from '#server/operations/secret-fingerprints.ts';
import { type Database, openDatabase } from '#server/platform/db/client.ts';
import { findPendingMigrations, NewerSchemaError, OlderSchemaError } from '#server/platform/db/migrate.ts';
import { levelOf, refuseMediaBelowBytes, stopBelowBytes } from '#server/platform/disk/levels.ts';
import { placesOf } from '#server/platform/disk/places.ts';
import { readVolumes, type Volume } from '#server/platform/disk/volumes.ts';
import { type Mailer, mailer } from '#server/platform/mail/mailer.ts';
import { childEnvironment, settings } from '#server/settings.ts';
import { startDatabase } from '#server/start/database.ts';
import { StartError } from '#server/start/start-error.ts';
import { findWrongCounts } from './check-counts.ts';
import { connectionsOf, volumeOf, whyNoRoom } from './check-room.ts';
import { findSearchProblem } from './check-search.ts';
import { checkServer } from './check-server.ts';
import { checkSettings } from './check-settings.ts';
import { checkCommit, untilStuck } from './check-waits.ts';
import { type Check, type Finding, fine, wrong } from './findings.ts';

const CHECK_BROWSER = path.join(import.meta.dirname, '../../worker/engine/check-browser.ts');
const BROWSER_LIMIT_MS = 60_000;
const CLOCK_OFF_MS_MAX = 2_000;
/** An older browser has known holes that later versions have closed. */
const BROWSER_WEEKS_MAX = 12;

const MORE_FILES = 'Raise the limit of open files (ulimit -n, LimitNOFILE) to 4096.';

/** Checks everything that the product needs. Changes nothing, and never rejects. */
export async function examine(): Promise<Finding[]> {
  const [ofDatabase, ofDisks, ...rest] = await Promise.all([
    checkDatabase(),
    checkDisks(),
    // A bundled browser is unpacked into DATA_DIR, which only a start creates.
    ...(existsSync(settings.dataDir)
      ? [checked('browser', checkBrowser, 'Install Chromium, or set CHROMIUM_PATH.')]
      : []),
    checked('mail', () => checkMail(mailer()), 'Check SMTP_URL: host, port, user and password.'),
  ]);
  return [checkSettings(), ...ofDatabase, ...ofDisks, ...rest];
}

/** An error during a check is its result. */
async function checked(check: Check, look: () => Promise<Finding>, todo: string): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    const few = ['EMFILE', 'ENFILE'].includes(code);
    return wrong(check, message || code || String(error), few ? MORE_FILES : todo);
  }
}

async function checkDatabase(): Promise<Finding[]> {
  const todo = 'Start PostgreSQL, correct DATABASE_URL, or unset DATABASE_URL to use the embedded database.';
  try {
    const started = await startDatabase({ ...settings, creates: false });
    const database = openDatabase(started.url, 2);
    try {
      const ofServer = await checkServer(database, started);
      if (!ofServer.ok) return [ofServer];
      const uncommitted = await checkCommit(database);
      if (uncommitted) return [uncommitted];
      const pending = await untilStuck(database, () => findPendingMigrations(database));
      if (typeof pending !== 'number') return [pending];
      if (pending !== 0) return [ofServer, unlikeSchema(pending)];
      const one = (check: Check, look: () => Promise<Finding>, what = todo) => [check, look, what] as const;
      const checks = [
        one('secrets', () => checkSecrets(database), 'Restore the secrets from a backup.'),
        one('room', () => checkRoom(database, started.url)),
        one('connections', () => checkConnections(database)),
        one('clock', () => checkClock(database)),
        one('workers', () => checkWorkers(database)),
        one('numbers', () => checkNumbers(database)),
        ...(isPinned(settings.whatsappBuild)
          ? [one('build', () => checkBuild(database, settings.whatsappBuild))]
          : []),
      ];
      const findings = [ofServer, fine('migrations', 'up to date')];
      for (const check of checks) {
        const finding = await untilStuck(database, () => checked(...check));
        if (finding.check === 'database') return [finding, ...findings.slice(1)];
        findings.push(finding);
      }
      return [...findings, ...(await findWrongCounts(database)), ...(await findSearchProblem(database))];
    } finally {
      await database.close();
      await started.release();
    }
  } catch (error) {
    // Such an error says what to do.
    if (error instanceof StartError || error instanceof OlderSchemaError)
      return [wrong('database', 'cannot be used', error.message)];
    return [wrong('database', (error as Error).message, todo)];
  }
}

function unlikeSchema(pending: number): Finding {
  if (pending < 0) return wrong('migrations', 'from a newer version', new NewerSchemaError().message);
  const updates = 'Start Wirebird once ("npm start") to update the database.';
  return wrong('migrations', `${pending} not applied`, updates);
}

/** Whether the secrets match the stored data. With other secrets, keys and second factors are refused. */
async function checkSecrets(database: Database): Promise<Finding> {
  const problem = await findSecretProblem({ database });
  return problem === null
    ? { ...fine('secrets', 'match the data'), says: 'they match the data' }
    : { ...wrong('secrets', 'do not match the data', problem), says: 'they do not match the data' };
}

/** Whether the database can write; for one in `DATABASE_URL`, also how much is free on its volume. */
async function checkRoom(database: Database, url: string): Promise<Finding> {
  const refused = await whyNoRoom(database);
  if (refused !== null)
    return wrong(
      'room',
      `the database cannot write: ${refused}`,
      'Free space on the database’s disk. Messages are refused until the database can write again.',
    );
  const volume = settings.databaseUrl === undefined ? null : await volumeOf(database, url);
  if (volume) return { ...findingOf(volume), check: 'room' };
  return fine('room', 'the database can write');
}

async function checkConnections(database: Database): Promise<Finding> {
  const { found, left } = await connectionsOf(database);
  if (left) return fine('connections', found);
  return wrong('connections', found, 'Raise max_connections of PostgreSQL, or run fewer processes.');
}

/** Slots, leases and deadlines use the database's clock; this machine's clock is in logs, TLS and codes. */
async function checkClock(database: Database): Promise<Finding> {
  await database.db.run(sql`select 1`);
  const askedAtMs = Date.now();
  const [row] = await database.db.run<{ now: Date }>(sql`select clock_timestamp() as now`);
  const offMs = Math.round(Math.abs((row?.now.getTime() ?? 0) - (askedAtMs + Date.now()) / 2));
  if (offMs <= CLOCK_OFF_MS_MAX) return fine('clock', `${offMs} ms from the database's`);
  return wrong(
    'clock',
    `${(offMs / 1000).toFixed(1)} s from the database's`,
    'Synchronize both clocks with NTP (timedatectl set-ntp true). Second-factor codes and certificates depend on them.',
  );
}

async function checkWorkers(database: Database): Promise<Finding> {
  const alive = await aliveProcesses(database.db);
  const count = (kind: string) => alive.filter((one) => one.kind === kind).length;
  const [workers, webs] = [count('worker'), count('web')];
  const found = `workers: ${workers}, web processes: ${webs}`;
  const says = `${workers} ${workers === 1 ? 'worker' : 'workers'} and ${webs} ${webs === 1 ? 'web process' : 'web processes'} running`;
  if (workers > 0 && webs > 0) return { ...fine('workers', found), says };
  const at = await movedAt({ database });
  if (at !== null) {
    const moved = inUtc(new Date(at), { seconds: true });
    return {
      ...wrong(
        'workers',
        `do not start: this installation was moved on ${moved}`,
        'To continue the move, do nothing here: run "cli restore" on the new machine. Only to give the move up, and only if the new installation was never started, run "cli move undo".',
      ),
      says: `they do not start, because this installation was moved on ${moved}`,
    };
  }
  return {
    ...wrong(
      'workers',
      found,
      'Start Wirebird ("npm start", systemctl or compose), and check DATA_DIR/logs.',
    ),
    says,
  };
}

async function checkNumbers(database: Database): Promise<Finding> {
  // Their rows still hold the states from before the move.
  if ((await movedAt({ database })) !== null)
    return {
      ...fine('numbers', 'none run here: this installation was moved'),
      says: 'none run here, because this installation was moved',
    };
  const { ok, away, found } = judgeNumbers((await readFigures(database)).numbers);
  const { connected, causes } = await findNotConnecting(database.db);
  const stuck = causes.map(({ cause, numbers }) => `${numbers}: ${causeText(cause)}`).join(' ');
  if (stuck !== '' && connected === 0)
    return wrong(
      'numbers',
      found,
      `No number can send. ${stuck} ${away ? await whoActs(database) : ''}`.trim(),
    );
  if (!away && stuck !== '')
    return { ...fine('numbers', found), warning: `Some numbers do not connect. ${stuck}` };
  if (!away) return fine('numbers', found);
  const toAct = `In the dashboard, a number’s page says why and what to do. ${await whoActs(database)}`;
  if (!ok) return wrong('numbers', found, `No number can send. ${toAct}`);
  return { ...fine('numbers', found), warning: `A number cannot send until somebody acts. ${toAct}` };
}

/** Whose numbers send nothing: the operator's own account may have none. */
async function whoActs(database: Database): Promise<string> {
  const named = (await numbersAway(database)).map(
    ({ label, phoneNumber, accountName, status }) =>
      `${[label, phoneNumber && `+${phoneNumber}`, accountName].filter(Boolean).join(', ')}: ${WHO_ACTS[status]}.`,
  );
  return named.join(' ');
}

const WHO_ACTS = {
  LOGGED_OUT: 'its account links it again',
  CONFLICT: 'open elsewhere, its account chooses “Use here”',
  BLOCKED: 'blocked, its account opens WhatsApp on the phone',
};

/** Whether a pinned build of WhatsApp Web is available. */
export async function checkBuild(database: Database, version: string): Promise<Finding> {
  const builds = await listBuilds(database.db, { network: 'whatsapp' });
  const choice = chooseBuild(version, builds, { numberId: '', lastMissed: false, left: false, unfit: [] });
  const found = `WHATSAPP_BUILD=${version}`;
  if (choice.use === 'kept') return fine('build', `${found} is stored`);
  if (choice.use === 'none') {
    const { stored } = choice;
    return wrong(
      'build',
      `${found} is not stored`,
      causeText({ code: 'build_not_stored', build: version, stored }),
    );
  }
  const todo =
    'Numbers start on what WhatsApp serves now. Set WHATSAPP_BUILD=latest, or another stored build.';
  return wrong('build', `${found} is no longer served by WhatsApp`, todo);
}

async function checkDisks(): Promise<Finding[]> {
  try {
    await access(settings.dataDir, constants.W_OK);
    return (await readVolumes(placesOf())).map((volume) => findingOf(volume));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return [
        wrong(
          'disk',
          `${settings.dataDir} does not exist`,
          'Correct DATA_DIR, or start Wirebird: the first start makes it.',
        ),
      ];
    return [wrong('disk', (error as Error).message, 'Set DATA_DIR to a directory this user can write to.')];
  }
}

/** The state of a volume, as the running product judges it. */
export function findingOf(volume: Volume, stopBytes = settings.diskFreeBytesMin): Finding {
  const stop = stopBytes ?? stopBelowBytes(volume.totalBytes);
  const { path: place, uses, freeBytes, freeFiles } = volume;
  const found = `${sizeText(freeBytes)} free at ${place} (${uses.join(', ')})`;
  const level = levelOf(volume, 'ok', stop);
  if (level === 'ok') return fine('disk', found);
  const needed = `Make room: ${sizeText(refuseMediaBelowBytes(stop) * 1.5)} should be free.`;
  if (level === 'low')
    return wrong(
      'disk',
      found,
      `${needed} Messages with a file are refused below ${sizeText(refuseMediaBelowBytes(stop))}.`,
    );
  const few = freeBytes >= stop;
  return wrong(
    'disk',
    few ? `${found}, but only ${freeFiles} more files fit` : found,
    `${needed} The numbers on this disk are disconnected, because ${few ? 'few more files fit' : `less than ${sizeText(stop)} is free`}. They reconnect automatically when there is space.`,
  );
}

function sizeText(bytes: number): string {
  return bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

interface FoundBrowser {
  found: string;
  sandboxed: boolean;
  /** Since its version came out; null if it is not known. */
  ageWeeks: number | null;
}

/** Warns about an old browser, and one that cannot sandbox its pages because it runs as root. */
export function browserFinding({ found, sandboxed, ageWeeks }: FoundBrowser): Finding {
  const age =
    ageWeeks === null ? '' : `, a version of ${ageWeeks === 1 ? '1 week' : `${ageWeeks} weeks`} ago`;
  const says = `${found}${age}`;
  const bare = sandboxed ? [] : ['Chromium’s own sandbox is off, because Wirebird runs as root'];
  const old =
    (ageWeeks ?? 0) <= BROWSER_WEEKS_MAX ? [] : ['This Chromium lacks the security fixes of later versions'];
  const known = [...bare, ...old];
  if (known.length === 0) return fine('browser', says);
  const todo = [
    ...bare.map((what) => `${what}. Start Wirebird as an ordinary user.`),
    ...old.map(
      (what) =>
        `${what}. Update it with the system, rebuild the image, or update Wirebird for the bundled one.`,
    ),
  ];
  return { ...fine('browser', [says, ...known].join('. ')), says, warning: todo.join(' ') };
}

/** In a separate process, because the browser belongs to the worker's code. */
async function checkBrowser(): Promise<Finding> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHECK_BROWSER], {
    env: childEnvironment({ LOG_LEVEL: 'silent' }),
    timeout: BROWSER_LIMIT_MS,
  });
  const answer = JSON.parse(stdout) as FoundBrowser | { problem: string };
  return 'found' in answer ? browserFinding(answer) : wrong('browser', 'no working browser', answer.problem);
}

async function checkMail(sender: Mailer | null): Promise<Finding> {
  if (!sender)
    return {
      ...fine(
        'mail',
        'off: alerts are in the dashboard only. Set SMTP_URL and MAIL_FROM to have them mailed',
      ),
      says: 'off, so alerts are in the dashboard only',
      warning: 'Set SMTP_URL and MAIL_FROM to have them mailed.',
    };
  await sender.verify();
  return fine('mail', 'the mail server accepts the sign-in');
}
