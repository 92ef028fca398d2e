import { checkRecipients } from './procedures/check-recipients.ts';
import { getNumber } from './procedures/get-number.ts';
import { getStatus } from './procedures/get-status.ts';
import { messageProcedures } from './procedures/messages.ts';
import { sendProcedures } from './procedures/send-message.ts';
import { webhookProcedures } from './procedures/webhooks.ts';
import { router } from './trpc.ts';

/** The customers' API, below `/v1`. */
export const restRouter = router({
  ...sendProcedures,
  getStatus,
  getNumber,
  checkRecipients,
  ...messageProcedures,
  ...webhookProcedures,
});
