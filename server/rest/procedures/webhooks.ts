import type { AccountContext } from '#server/platform/db/context.ts';
import {
  changeEndpoint,
  createEndpoint,
  listEndpoints,
  removeEndpoint,
  replay,
  rotateSecret,
  sendTestEvent,
} from '#server/webhooks/endpoints.ts';
import type { RestContext } from '../context.ts';
import { bodilessChangeProcedure, changeProcedure, readProcedure } from '../trpc.ts';
import * as types from './webhooks.types.ts';

const accountOf = ({ database, caller }: RestContext): AccountContext => ({
  database,
  accountId: caller.accountId,
  actor: { kind: 'key', keyId: caller.keyId ?? '' },
});

const ok = <Data>(data: Data) => ({ success: true as const, data });

/** The webhook endpoints of the key's number. Only the dashboard manages those of the whole account. */
export const webhookProcedures = {
  createWebhook: changeProcedure
    .meta(types.createWebhookMeta)
    .input(types.CreateWebhookRequest)
    .output(types.SecretWebhookAnswer)
    .mutation(async ({ ctx, input: { url, events } }) => {
      const made = await createEndpoint(accountOf(ctx), { numberId: ctx.number.id, url, events });
      return ok(types.secretEndpointOf(made));
    }),
  listWebhooks: readProcedure
    .meta(types.listWebhooksMeta)
    .input(types.ListWebhooksRequest)
    .output(types.WebhooksAnswer)
    .query(async ({ ctx }) => {
      const endpoints = await listEndpoints(accountOf(ctx), { numberId: ctx.number.id });
      return ok({ webhooks: endpoints.map(types.endpointOf) });
    }),
  changeWebhook: changeProcedure
    .meta(types.changeWebhookMeta)
    .input(types.ChangeWebhookRequest)
    .output(types.WebhookAnswer)
    .mutation(async ({ ctx, input: { id, url, events, active } }) => {
      const which = { endpointId: id, numberId: ctx.number.id };
      return ok(types.endpointOf(await changeEndpoint(accountOf(ctx), which, { url, events, active })));
    }),
  deleteWebhook: bodilessChangeProcedure
    .meta(types.deleteWebhookMeta)
    .input(types.WebhookRequest)
    .output(types.DeletedWebhookAnswer)
    .mutation(async ({ ctx, input: { id } }) => {
      await removeEndpoint(accountOf(ctx), { endpointId: id, numberId: ctx.number.id });
      return ok({ id });
    }),
  rotateWebhook: bodilessChangeProcedure
    .meta(types.rotateWebhookMeta)
    .input(types.WebhookRequest)
    .output(types.SecretWebhookAnswer)
    .mutation(async ({ ctx, input: { id } }) => {
      const rotated = await rotateSecret(accountOf(ctx), { endpointId: id, numberId: ctx.number.id });
      return ok(types.secretEndpointOf(rotated));
    }),
  testWebhook: bodilessChangeProcedure
    .meta(types.testWebhookMeta)
    .input(types.WebhookRequest)
    .output(types.TestedWebhookAnswer)
    .mutation(async ({ ctx, input: { id } }) =>
      ok(await sendTestEvent(accountOf(ctx), { endpointId: id, numberId: ctx.number.id })),
    ),
  replayWebhook: changeProcedure
    .meta(types.replayWebhookMeta)
    .input(types.ReplayWebhookRequest)
    .output(types.ReplayAnswer)
    .mutation(async ({ ctx, input: { id, since } }) => {
      const which = { endpointId: id, numberId: ctx.number.id };
      return ok(await replay(accountOf(ctx), which, { since: new Date(since) }));
    }),
};
