import { readiness } from '#server/operations/readiness.ts';
import { database } from '#server/platform/db/client.ts';

export const dynamic = 'force-dynamic';

/** Everything that a message needs is available; 503 names what is missing. */
export async function GET() {
  const state = await readiness({ database: database() });
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}
