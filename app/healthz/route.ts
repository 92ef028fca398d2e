export const dynamic = 'force-dynamic';

/** The web process serves. */
export function GET() {
  return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } });
}
