export const dynamic = 'force-dynamic';

/** The web process is running. */
export function GET() {
  return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } });
}
