import process from 'node:process';
import { kindStates } from '#server/core/build-kinds.ts';
import { parseCause } from '#server/core/number/cause.ts';
import { buildState } from '#server/core/page-build.ts';
import type { PageCheck } from '#server/core/page-check.ts';
import { withoutPhones } from '#server/core/phone-text.ts';
import { getNumber, type OfNumber } from '#server/numbers/get-number.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { version } from '#server/platform/version.ts';
import { checkPage } from './check-page.ts';
import { listKinds } from './queries/build-kinds.ts';
import { findBuildOfNumber, listOutcomes, listStates } from './queries/page-report.ts';

/**
 * What a bug report about WhatsApp Web needs: the number's build, the self-test of its page, and its states and outcomes
 * of the last 24 hours. It has no text, no phone number and no key. Throws `not_found`.
 */
export async function pageReport(scope: AccountContext, number: OfNumber): Promise<unknown> {
  const { database } = scope;
  const { network, status, statusSince } = await getNumber(scope, number);
  const [build, states, outcomes, check] = await Promise.all([
    findBuildOfNumber(database.db, { ...number, network }),
    listStates(database.db, number),
    listOutcomes(database.db, number),
    checkPage(scope, number).catch((error: Error): PageCheck | { failed: string } => ({
      failed: error.message,
    })),
  ]);
  const kinds = build ? await listKinds(database.db, { network, version: build.version }) : [];
  const report = {
    wirebird: version,
    node: process.version,
    instance: number.numberId,
    network,
    status,
    statusSince,
    build: build && {
      ...build,
      state: buildState(build),
      kinds: kindStates(kinds),
      failedKinds: kinds.filter(({ failedCheck }) => failedCheck !== null),
    },
    check,
    states: states.map(({ cause, ...state }) => ({ ...state, cause: parseCause(cause) })),
    outcomes,
  };
  // The page's errors and the reasons of states may name numbers.
  return JSON.parse(JSON.stringify(report), (key, value: unknown) =>
    typeof value === 'string' && key !== 'instance' ? withoutPhones(value) : value,
  );
}
