import { sql } from 'drizzle-orm';
import { LEASE_SILENCE_MS, UNSEEN_MS } from '#server/core/number-state.ts';
import type { Database } from '#server/platform/db/client.ts';

/** A worker reads a reply at once. */
const REPLY_MS = 15_000;

/** Until when the codes of a linking last if nobody looks at them again. For a table of numbers `n`. */
export const SEEN_UNTIL = sql`n.link_seen_at + case when n.pairing_phone is null then ${UNSEEN_MS.qr}::float8 else ${UNSEEN_MS.code}::float8 end
    * interval '1 millisecond'`;

/**
 * Deletes expired QR and pairing codes, all codes of linkings that have ended or that nobody looks at, and the codes of
 * silent workers, because their browsers are gone; also replies about a passkey that no worker reads. Returns how many
 * numbers it changed.
 */
export async function forgetLinkingCodes({ db }: Database): Promise<number> {
  // Each row is judged once, then deleted or emptied, in one statement.
  const rows = await db.run(sql`
    with judged as (
      select l.number_id,
        n.intent <> 'link' or n.link_until is null or n.link_until <= clock_timestamp() as ended,
        n.status = 'LINKING' and coalesce(${SEEN_UNTIL} <= clock_timestamp(), false) as unseen,
        ls.worker_id is null
          or ls.renewed_at <= clock_timestamp() - ${LEASE_SILENCE_MS}::float8 * interval '1 millisecond' as silent,
        coalesce(l.qr_expires_at <= clock_timestamp(), true) as qr_over,
        coalesce(l.pairing_expires_at <= clock_timestamp(), false) as pairing_over,
        coalesce(l.passkey_replied_at <= clock_timestamp() - ${REPLY_MS}::float8 * interval '1 millisecond', false) as unread
      from number_links l join numbers n on n.id = l.number_id left join leases ls on ls.number_id = l.number_id
    ), removed as (
      delete from number_links l using judged j where l.number_id = j.number_id and j.ended returning 1
    ), emptied as (
      update number_links l set
        qr = case when j.silent or j.unseen or j.qr_over then null else l.qr end,
        qr_expires_at = case when j.silent or j.unseen or j.qr_over then null else l.qr_expires_at end,
        pairing_code = case when j.silent or j.unseen or j.pairing_over then null else l.pairing_code end,
        pairing_expires_at = case when j.silent or j.unseen or j.pairing_over then null else l.pairing_expires_at end,
        passkey = case when j.silent then null else l.passkey end,
        passkey_reply = case when j.silent or j.unread then null else l.passkey_reply end,
        passkey_replied_at = case when j.silent or j.unread then null else l.passkey_replied_at end
      from judged j
      where l.number_id = j.number_id and not j.ended
        and ((l.qr is not null and (j.silent or j.unseen or j.qr_over))
          or (l.pairing_code is not null and (j.silent or j.unseen or j.pairing_over))
          or (l.passkey is not null and j.silent)
          or (l.passkey_reply is not null and (j.silent or j.unread)))
      returning 1
    )
    select 1 from removed union all select 1 from emptied`);
  return rows.length;
}
