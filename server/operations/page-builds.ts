import { audit } from '#server/accounts/audit.ts';
import { kindResult } from '#server/core/build-kinds.ts';
import { AppError } from '#server/core/errors.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import type { Network } from '#server/core/number-state.ts';
import { buildState, TRY_START_MS } from '#server/core/page-build.ts';
import type { ActorContext, InstallationContext } from '#server/platform/db/context.ts';
import { deleteFact, findFact, putFact } from '#server/platform/db/facts.ts';
import { settings } from '#server/settings.ts';
import { listAllKinds } from './queries/build-kinds.ts';
import { assignTry, forgetVerdict, listBuildRows, listTriers } from './queries/build-list.ts';
import { TRIES_FIRST } from './queries/page-builds.ts';

/** The builds of WhatsApp Web with their results, and the number that tries new ones first. */
export async function listPageBuilds({ database }: InstallationContext) {
  const { db } = database;
  const [builds, known, triers, triesFirst] = await Promise.all([
    listBuildRows(database),
    listAllKinds(database.db),
    listTriers(db),
    findFact(db, { key: TRIES_FIRST }),
  ]);
  return {
    /** `WHATSAPP_BUILD`. */
    setting: settings.whatsappBuild,
    /** Newest first. */
    builds: builds.map((build) => {
      const ofBuild = known.filter((one) => one.network === build.network && one.version === build.version);
      const kinds = MESSAGE_TYPES.map((kind) => {
        const facts = ofBuild.find((one) => one.kind === kind);
        return { kind, result: kindResult(facts), failedCheck: facts?.failedCheck ?? null };
      });
      return { ...build, state: buildState(build), kinds };
    }),
    /** The number on which new builds are tried first; null for the first that starts. */
    triesFirst,
    triers,
  };
}

/** New builds are tried on this number first; null: on the first that starts. Throws `not_found`. */
export async function setTriesFirst(
  { database, actor }: ActorContext,
  { numberId }: { numberId: string | null },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    if ((await findFact(tx, { key: TRIES_FIRST })) === numberId) return;
    if (numberId === null) await deleteFact(tx, { key: TRIES_FIRST });
    else {
      if (!(await listTriers(tx)).some(({ id }) => id === numberId))
        throw new AppError('not_found', 'This number is not running. Choose another one.');
      await putFact(tx, { key: TRIES_FIRST, value: numberId });
    }
    await audit(tx, { actor, accountId: null, action: 'build.tries_first', target: numberId });
  });
}

/**
 * Clears a build's failure and lets a number try it again now. Returns that number's name; null if none is
 * connected, so that the next one that starts tries it. Throws `not_found` if the build has not failed.
 */
export async function tryBuildAgain(
  { database, actor }: ActorContext,
  { network, version }: { network: Network; version: string },
): Promise<{ number: string | null }> {
  const build = { network, version };
  return database.db.transaction(async (tx) => {
    if (!(await forgetVerdict(tx, build)))
      throw new AppError('not_found', 'This build has not failed, or is no longer known.');
    const number = await assignTry(tx, { ...build, forMs: TRY_START_MS });
    await audit(tx, { actor, accountId: null, action: 'build.try_again', target: version });
    return { number };
  });
}
