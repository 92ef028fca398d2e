import { z } from 'zod';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { listApiKeys } from '#server/api-keys/list-api-keys.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { rotateApiKey } from '#server/api-keys/rotate-api-key.ts';
import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { DateTime } from '../date-time.ts';
import { memberProcedure, router } from '../trpc.ts';

export const keys = router({
  list: memberProcedure.query(({ ctx }) => listApiKeys(ctx)),

  /** Files for code samples: the sandbox's if it runs, else placeholders. */
  sampleFiles: memberProcedure.query(() => sampleFiles()),

  /** Only this answer contains the key itself. */
  create: memberProcedure
    .input(
      z.object({
        numberId: z.string().max(64),
        name: z.string().max(500),
        expiresAt: DateTime.nullable(),
      }),
    )
    .mutation(({ ctx, input: { expiresAt, ...rest } }) =>
      createApiKey(ctx, { ...rest, expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ),

  /** Replaces a key. As with `create`, only this answer contains the new one. */
  rotate: memberProcedure
    .input(z.object({ keyId: z.string().max(64), overlapHours: z.number() }))
    .mutation(({ ctx, input }) => rotateApiKey(ctx, input)),

  revoke: memberProcedure
    .input(z.object({ keyId: z.string().max(64) }))
    .mutation(({ ctx, input }) => revokeApiKey(ctx, input)),
});
