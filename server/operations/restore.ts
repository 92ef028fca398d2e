import { sql } from 'drizzle-orm';
import { audit } from '#server/accounts/audit.ts';
import { AppError } from '#server/core/errors.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { pauses, type RestoreFacts } from '#server/core/restore-alert.ts';
import { hasUsers } from '#server/people/queries/users.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import type { ReplacedContents } from '#server/platform/db/empty-for-restore.ts';
import { makeSecrets, SECRET_VARIABLES, type SecretName } from '#server/platform/secrets.ts';
import { settings } from '#server/settings.ts';
import { type BackupHeader, requireStopped } from './back-up.ts';
import {
  GENERATION,
  type Generation,
  generationOfDataDir,
  MOVED,
  nextGeneration,
  parseGeneration,
} from './generation.ts';
import { lostInAllText, lostMessagesText, lostText } from './lost-text.ts';
import {
  correctCauses,
  factRestored,
  isEmpty,
  keepOutcomes,
  putRestored,
  raiseSequences,
  type Stopped,
  settleRestored,
  writeRows,
} from './queries/backup.ts';
import { inBulk } from './queries/bulk-load.ts';
import { type MessagesOn, messagesById } from './queries/links.ts';
import { findLost, type LostAccount, lostCount } from './queries/lost.ts';
import { restoresOfLastDay } from './queries/restores.ts';
import { checkBackup, rowsOf } from './read-backup.ts';
import { acceptSecrets, fingerprints } from './secret-fingerprints.ts';

const ROWS_AT_ONCE = 500;

export interface Restored {
  madeAt: string;
  /** The installation was stopped for good before the backup (`backup --move`). */
  moved: boolean;
  /** The backup belongs to the installation that was replaced, so no other one can send its messages. */
  sameInstallation: boolean;
  rows: number;
  /** Messages that waited, were being sent or were unknown at the backup, and whose outcome the replaced database knew. */
  known: number;
  /** How many of them have each outcome. */
  knownAs: Partial<Record<MessageStatus, number>>;
  /** Waiting messages that are now expired: after a move all, otherwise those whose deadline had passed at the backup. */
  expired: number;
  expiredOn: MessagesOn[];
  /** Messages that were being sent, or that the earlier installation may have sent since. */
  unknown: number;
  unknownOn: MessagesOn[];
  /** Messages that stay scheduled, because they were certainly not sent. */
  scheduled: number;
  toLink: number;
  /** Variables of the secrets that differ from the backup's. */
  otherSecrets: string[];
  /** The restore replaced the contents of a database. */
  replaced: boolean;
  /** What the replaced database had and the backup does not; null if that cannot be counted. */
  lost: LostAccount[] | null;
  /** Programs must wait because of an earlier restore, which the backup knows. */
  paused: boolean;
}

/**
 * Fills an empty database from a backup, in one transaction. No restored message is sent, and no session of the
 * real network continues. Throws `invalid_parameters` for a file that {@link checkBackup} refuses;
 * `already_exists` if the database has users; `forbidden` while a process runs on it, or if the secrets differ and
 * `otherSecrets` is not set.
 *
 * @param params.replaced the database's earlier contents, if the restore replaces them. What they had and the backup does
 * not is written to the audit log before they are dropped.
 */
export async function restore(
  { database }: InstallationContext,
  params: {
    file: string;
    otherSecrets: boolean;
    replaced?: { generation: Generation | null } & Pick<ReplacedContents, 'schema' | 'read' | 'markReplaced'>;
  },
): Promise<Restored> {
  const { file, replaced } = params;
  const header = await checkBackup(file);
  if (!(await hasUsers(database.db))) makeSecrets();
  const otherSecrets = requireSecretsOf(header, params);
  const before = [replaced?.generation ?? null, generationOfDataDir(settings.dataDir)];
  await requireStopped({ database });
  const restored = await database.pool.beginLong(async (tx) => {
    if (!(await isEmpty(tx)))
      throw new AppError(
        'already_exists',
        'This database is not empty. Restore into an empty one, or run the command again with --replace to delete its contents.',
      );
    await tx.run(sql`delete from installation`);
    let count = 0;
    let writing = Promise.resolve();
    await inBulk(tx, async () => {
      for await (const { table, rows } of rowsOf(file, { atOnce: ROWS_AT_ONCE })) {
        await writing;
        // The next rows are read meanwhile.
        writing = writeRows(tx, table, rows);
        // A failure is reported when it is awaited.
        writing.catch(() => {});
        count += rows.length;
      }
      await writing;
    });
    await raiseSequences(tx);
    const backedUp = parseGeneration(await factRestored(tx, GENERATION));
    await putRestored(tx, {
      key: GENERATION,
      value: nextGeneration([backedUp, ...before]),
      without: MOVED,
    });
    await replaced?.markReplaced(tx);
    const sameInstallation = backedUp !== null && backedUp.id === replaced?.generation?.id;
    const stopped: Stopped | null = header.moved ? 'moved' : sameInstallation ? 'replaced' : null;
    const { known, neverSent } =
      sameInstallation && replaced ? await keepOutcomes(tx, replaced) : { known: [], neverSent: [] };
    const settled = await settleRestored(tx, { stopped, madeAt: header.madeAt, neverSent });
    return { sameInstallation, rows: count, known: known.length, knownAs: countEach(known), ...settled };
  });
  await acceptSecrets({ database });
  const lost = replaced ? await findLost(replaced.read, replaced) : null;
  const { expired, unknown, ...rest } = restored;
  const about = {
    madeAt: header.madeAt,
    moved: header.moved,
    ...rest,
    replaced: replaced !== undefined,
    lost,
    paused: (await restoresOfLastDay(database)).some(pauses),
  };
  if (rest.sameInstallation && lost && !header.moved)
    await correctCauses(database.db, {
      madeAt: header.madeAt,
      lostOn: lost.flatMap(({ ofNumbers }) => ofNumbers.map(({ numberId }) => numberId)),
    });
  const counts = { unknown: unknown.length, expired: expired.length };
  const { madeAt, moved, rows, toLink } = about;
  await recordRestore(
    { database },
    {
      ...{ madeAt, rows, moved, ...counts, toLink },
      ...{ ...lostByRestore(about), lostMessages: lostMessagesOf(about), paused: about.paused },
    },
    lost ?? [],
  );
  return {
    ...{ ...about, ...counts, otherSecrets },
    expiredOn: await messagesById(database.db, expired),
    unknownOn: await messagesById(database.db, unknown),
  };
}

function countEach(known: readonly MessageStatus[]): Restored['knownAs'] {
  const counts: Restored['knownAs'] = {};
  for (const status of known) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** How many messages a restore of an installation over itself lost; null if nobody could count. */
export function lostMessagesOf({
  sameInstallation,
  lost,
}: Pick<Restored, 'sameInstallation' | 'lost'>): number | null {
  return sameInstallation && lost ? lost.reduce((sum, account) => sum + lostCount(account), 0) : null;
}

/** What a restore lost in all. Before a move the old installation had stopped, so nothing can have happened since. */
function lostByRestore(
  of: Pick<Restored, 'moved' | 'sameInstallation' | 'replaced' | 'lost'>,
): Pick<RestoreFacts, 'lost' | 'lostNothing'> {
  const uncounted = 'messages and changes that cannot be counted here';
  const counted = of.lost && lostInAllText(of.lost);
  const lostNothing = of.sameInstallation && counted === '';
  const inReplaced = counted === '' ? 'no messages, accounts, keys or payments' : (counted ?? uncounted);
  if (of.sameInstallation) return { lost: inReplaced, lostNothing };
  const since = of.moved ? 'only the links to the phones' : uncounted;
  const besides = of.replaced && of.lost?.length !== 0;
  return { lost: besides ? `${since}; with the replaced database: ${inReplaced}` : since, lostNothing };
}

/** Writes a restore to the audit log, where an alert finds it, and what each account and each number lost. */
async function recordRestore(
  { database }: InstallationContext,
  facts: RestoreFacts,
  lost: readonly LostAccount[],
): Promise<void> {
  const entry = { actor: { kind: 'cli' }, action: 'installation.restore' } as const;
  await database.db.transaction(async (tx) => {
    await audit(tx, { ...entry, accountId: null, target: null, detail: { ...facts } });
    for (const of of lost) {
      const { accountId } = of;
      // Without the account's name, which a deletion of the account could not erase here.
      await audit(tx, {
        ...entry,
        accountId,
        target: accountId,
        detail: { lost: lostText(of), messages: lostCount(of) },
      });
      for (const { numberId, messages } of of.ofNumbers)
        await audit(tx, {
          ...{ ...entry, accountId, target: numberId },
          detail: { lost: lostMessagesText(messages), madeAt: facts.madeAt },
        });
    }
  });
}

/** The variables of secrets that differ from the backup's. */
export function requireSecretsOf(
  header: BackupHeader,
  { otherSecrets }: { otherSecrets: boolean },
): string[] {
  const own = fingerprints();
  const differing = (Object.keys(own) as SecretName[])
    .filter((name) => own[name] !== header.fingerprints[name])
    .map((name) => SECRET_VARIABLES[name]);
  if (differing.length > 0 && !otherSecrets)
    throw new AppError(
      'forbidden',
      `The secrets here differ from those of the backup (${differing.join(', ')}). Set the old ones, or run the command again with --other-secrets: API keys made with another KEY_PEPPER stop working, and data encrypted with another DATA_KEY is lost.`,
    );
  return differing;
}
