import { z } from 'zod';
import { listAudit } from '#server/accounts/audit.ts';
import { listAllAlerts } from '#server/alerts/list-alerts.ts';
import { NETWORKS } from '#server/core/number-state.ts';
import { drainWorker, listWorkers } from '#server/operations/drain-worker.ts';
import { listPageBuilds, setTriesFirst, tryBuildAgain } from '#server/operations/page-builds.ts';
import { queueHealth } from '#server/operations/queue-health.ts';
import { sendTestMail } from '#server/operations/send-test-mail.ts';
import { settingsInForce } from '#server/settings.ts';
import { DateTime } from '../date-time.ts';
import { withDates } from '../list-filters.ts';
import { adminProcedure } from '../trpc.ts';

const PAGE = 50;

/** Procedures about the installation as a whole. */
export const operation = {
  audit: adminProcedure
    .input(
      z.object({
        accountId: z.string().max(64).optional(),
        account: z.string().max(200).optional(),
        actor: z.string().max(254).optional(),
        action: z.string().max(64).optional(),
        since: DateTime.optional(),
        until: DateTime.optional(),
        cursor: z.number().int().nullish(),
      }),
    )
    .query(({ ctx, input: { cursor, ...filter } }) =>
      listAudit(ctx, { ...withDates(filter), before: cursor ?? undefined, limit: PAGE }),
    ),

  alerts: adminProcedure
    .input(z.object({ cursor: z.string().max(64).nullish() }))
    .query(({ ctx, input: { cursor } }) => listAllAlerts(ctx, { before: cursor ?? null, limit: PAGE })),

  health: adminProcedure.query(({ ctx }) => queueHealth(ctx)),

  /** This process's settings, without secrets. */
  settings: adminProcedure.query(() => settingsInForce()),

  sendTestMail: adminProcedure.mutation(({ ctx }) => sendTestMail({ to: ctx.user.email })),

  workers: adminProcedure.query(({ ctx }) => listWorkers(ctx)),

  drainWorker: adminProcedure
    .input(z.object({ workerId: z.string().max(64), drain: z.boolean() }))
    .mutation(({ ctx, input }) => drainWorker(ctx, input)),

  builds: adminProcedure.query(({ ctx }) => listPageBuilds(ctx)),

  triesFirst: adminProcedure
    .input(z.object({ numberId: z.string().max(64).nullable() }))
    .mutation(({ ctx, input }) => setTriesFirst(ctx, input)),

  tryBuildAgain: adminProcedure
    .input(z.object({ network: z.enum(NETWORKS), version: z.string().max(64) }))
    .mutation(({ ctx, input }) => tryBuildAgain(ctx, input)),
};
