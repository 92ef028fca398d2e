import { Readable } from 'node:stream';
import type { Actor } from '#server/core/actor.ts';
import { TRANSPORT_OF } from '#server/http/errors.ts';
import { toAppError } from '#server/http/to-app-error.ts';
import { paymentsCsv } from '#server/services/payments-csv.ts';
import { refuseViewer, requireAdmin } from './account-of.ts';
import type { DashboardContext } from './context.ts';
import { dashboardContext, refuseForeign } from './handle.ts';

/** Answers the administrator's browser with all payments as a CSV file. */
export async function handlePaymentsCsv(request: Request): Promise<Response> {
  const refusal = refuseForeign(request);
  return refusal ?? answerPaymentsCsv(await dashboardContext(request.headers));
}

/** {@link handlePaymentsCsv} for somebody who is known. */
export async function answerPaymentsCsv(context: DashboardContext): Promise<Response> {
  try {
    const { userId } = requireAdmin(context);
    refuseViewer(context, { type: 'query', path: 'admin.paymentsCsv' });
    const actor: Actor = { kind: 'user', userId, address: context.address };
    const lines = paymentsCsv(context.database, { actor });
    const day = new Date().toISOString().slice(0, 10);
    return new Response(Readable.toWeb(Readable.from(encoded(lines))) as ReadableStream<Uint8Array>, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="wirebird-payments-${day}.csv"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  } catch (error) {
    const { code, message } = toAppError(error);
    return new Response(message, {
      status: TRANSPORT_OF[code].status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(line);
}
