import { z } from 'zod';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  replay,
  rotateSecret,
  sendTestEvent,
} from '#server/webhooks/endpoints.ts';
import { deliveryDetail, deliveryLog, listEndpointsWithHealth } from '#server/webhooks/log.ts';
import { DateTime } from '../date-time.ts';
import { memberProcedure, router } from '../trpc.ts';

const Id = z.string().max(64);
const Url = z.string().max(2048);
const Events = z
  .array(z.enum(EVENT_TYPES))
  .min(1, { error: 'Choose at least one event.' })
  .max(EVENT_TYPES.length);
const Endpoint = z.object({ endpointId: Id });

/** An account's webhook endpoints and their log. */
export const webhooks = router({
  list: memberProcedure.query(({ ctx }) => listEndpointsWithHealth(ctx)),

  log: memberProcedure
    .input(Endpoint.extend({ failed: z.boolean(), cursor: z.number().int().nullish() }))
    .query(({ ctx, input: { cursor, ...filter } }) =>
      deliveryLog(ctx, { ...filter, before: cursor ?? undefined }),
    ),

  delivery: memberProcedure
    .input(Endpoint.extend({ eventId: Id }))
    .query(({ ctx, input }) => deliveryDetail(ctx, input)),

  /** Only this answer contains the secret. */
  create: memberProcedure
    .input(z.object({ numberId: Id.nullable(), url: Url, events: Events }))
    .mutation(({ ctx, input }) => createEndpoint(ctx, input)),

  /** An endpoint that only shows the events of a sandbox number. */
  inspect: memberProcedure
    .input(z.object({ numberId: Id }))
    .mutation(async ({ ctx, input: { numberId } }) => {
      const { id } = await createEndpoint(ctx, { numberId, url: INSPECT_URL });
      return { id };
    }),

  change: memberProcedure
    .input(
      Endpoint.extend({
        url: Url.optional(),
        events: Events.optional(),
        active: z.boolean().optional(),
      }),
    )
    .mutation(({ ctx, input: { endpointId, ...change } }) => changeEndpoint(ctx, { endpointId }, change)),

  /** As with `create`, only this answer contains the new secret. */
  rotate: memberProcedure.input(Endpoint).mutation(({ ctx, input }) => rotateSecret(ctx, input)),

  remove: memberProcedure.input(Endpoint).mutation(({ ctx, input }) => removeEndpoint(ctx, input)),

  test: memberProcedure.input(Endpoint).mutation(({ ctx, input }) => sendTestEvent(ctx, input)),

  replayEvent: memberProcedure
    .input(Endpoint.extend({ eventId: Id }))
    .mutation(({ ctx, input: { endpointId, eventId } }) => replay(ctx, { endpointId }, { eventId })),

  replaySince: memberProcedure
    .input(Endpoint.extend({ since: DateTime }))
    .mutation(({ ctx, input: { endpointId, since } }) =>
      replay(ctx, { endpointId }, { since: new Date(since) }),
    ),
});
