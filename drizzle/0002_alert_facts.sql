-- Each stored text becomes the facts that it was made of. Any other text is kept and only shown.
ALTER TABLE "alerts" ADD COLUMN "facts" jsonb;--> statement-breakpoint
UPDATE alerts SET facts = coalesce(CASE
  WHEN kind IN ('logged_out', 'blocked', 'conflict', 'disconnected', 'build_changed', 'kinds_failing', 'records_lost')
    THEN detail::jsonb
  WHEN kind = 'restored'
    THEN detail::jsonb || jsonb_build_object('lostNothing', starts_with(detail::jsonb ->> 'lost', 'no '))
  WHEN kind = 'suspended' THEN jsonb_build_object('reason', detail)
  WHEN kind = 'plan_paid' AND detail ~ '^\d{4}-\d\d-\d\d( \d+)?$' THEN jsonb_build_object(
    'paidUntil', left(detail, 10), 'amountCents', nullif(split_part(detail, ' ', 2), '')::int)
  WHEN kind IN ('plan_7_days', 'plan_1_day', 'plan_grace', 'plan_ended', 'plan_enabled') AND detail ~ '^\d{4}-\d\d-\d\d'
    THEN jsonb_build_object('paidUntil', left(detail, 10))
  WHEN kind = 'plan_requested' AND detail ~ '^For \d+ numbers?\. Contact: ' THEN jsonb_build_object(
    'numbers', substring(detail FROM '^For (\d+)')::int,
    'contact', substring(detail FROM '^For \d+ numbers?\. Contact: ([^\n]*)'),
    'note', coalesce(substring(detail FROM '\nNote: (.*)$'), ''))
  WHEN kind = 'waiting_cancelled' AND detail ~ '^\d+( ended| excess)?$' THEN jsonb_build_object(
    'count', split_part(detail, ' ', 1)::int, 'why', nullif(split_part(detail, ' ', 2), ''))
  WHEN kind = 'waiting_expired' AND detail ~ '^\d+( moved)?$' THEN jsonb_build_object(
    'count', split_part(detail, ' ', 1)::int, 'moved', detail LIKE '% moved')
  WHEN kind = 'to_decide' AND detail ~ '^\d+(, \d+ scheduled)?$' THEN jsonb_build_object(
    'count', substring(detail FROM '^\d+')::int, 'scheduled', coalesce(substring(detail FROM ', (\d+)')::int, 0))
  WHEN kind = 'failures' AND detail ~ '^\d+ unknown$' THEN jsonb_build_object(
    'unclear', split_part(detail, ' ', 1)::int)
  WHEN kind IN ('disk_low', 'disk_full') THEN jsonb_build_object('note', detail)
  WHEN kind = 'webhook_unsigned' THEN jsonb_build_object('url', detail)
  WHEN kind = 'webhook_off' AND detail ~ ' (returned 410|failed for 3 days)\.$' THEN jsonb_build_object(
    'url', substring(detail FROM '^(.*) (?:returned|failed)'),
    'why', CASE WHEN detail LIKE '% returned 410.' THEN 'gone' ELSE 'failing' END)
  WHEN kind = 'requests_refused' AND detail ~ '^\d+ requests to send were refused, most often with \w+$'
    THEN jsonb_build_object('count', substring(detail FROM '^\d+')::int, 'code', substring(detail FROM '\w+$'))
  WHEN kind = 'requests_accepted' AND detail ~ '^\d+ refused, \d+ accepted$' THEN jsonb_build_object(
    'refused', substring(detail FROM '^\d+')::int, 'accepted', substring(detail FROM ', (\d+)')::int)
  WHEN kind IN ('health', 'unrestricted') THEN (
    SELECT v.restriction::jsonb || jsonb_build_object('until',
      to_timestamp(substring(detail FROM ' It lasts until (.*) UTC\.$') || ' +00', 'FMDD FMMonth YYYY, HH24:MI TZH'))
    FROM (VALUES
      ('WhatsApp does not let this number start new conversations from here.', '{"limit": "timelock", "timelockKind": "WEB_COMPANION_ONLY", "checkpoint": null}'),
      ('WhatsApp does not let this number start new conversations.', '{"limit": "timelock", "timelockKind": "", "checkpoint": null}'),
      ('WhatsApp’s cap for new conversations', '{"limit": "cap", "timelockKind": null, "checkpoint": null}'),
      ('WhatsApp refused several first messages', '{"limit": "pause", "timelockKind": null, "checkpoint": null}'),
      ('WhatsApp asks for a check with a passkey', '{"limit": null, "timelockKind": null, "checkpoint": "PASSKEY"}'),
      ('WhatsApp asks for a check of', '{"limit": null, "timelockKind": null, "checkpoint": ""}')) AS v (start, restriction)
    WHERE starts_with(detail, v.start))
  WHEN kind IN ('recovered', 'resumed') THEN (
    SELECT jsonb_build_object('now', v.now::jsonb, 'phoneEnd', substring(detail FROM '^Its phone number now ends in (\d+)\.'))
    FROM (VALUES
      ('New messages are sent at its interval.', '{"access": "ok", "status": "CONNECTED", "held": false}'),
      ('New messages are refused (409) until it is released. Messages sent with “Prefer: respond-async” are accepted and wait.', '{"access": "ok", "status": "CONNECTED", "held": true}'),
      ('New messages are refused (409) until it is connected.', '{"access": "ok", "status": "LOGGED_OUT", "held": false}'),
      ('New messages are refused (409 with Retry-After) until it is connected.', '{"access": "ok", "status": "RECONNECTING", "held": false}'),
      ('New messages are refused (409) until it is resumed.', '{"access": "ok", "status": "SUSPENDED", "held": false}'),
      ('Requests are refused (402) until the administrator enables a plan.', '{"access": "none", "status": "CONNECTED", "held": false}'),
      ('Requests are refused (402) and nothing is sent until the plan is active again.', '{"access": "ended", "status": "CONNECTED", "held": false}'),
      ('Requests are refused (402) and nothing is sent until the account is resumed.', '{"access": "suspended", "status": "CONNECTED", "held": false}'),
      ('Requests are refused (402) and nothing is sent until an owner keeps this number active or the plan is extended.', '{"access": "excess", "status": "CONNECTED", "held": false}')) AS v (sentence, now)
    WHERE right(detail, length(v.sentence)) = v.sentence)
  END, jsonb_build_object('legacy', detail))
WHERE detail IS NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" DROP COLUMN "detail";
