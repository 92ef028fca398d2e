-- Each stored sentence becomes the fact that it was made of. Any other text is kept and only shown.
CREATE FUNCTION outcome_of(of_code text, sentence text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  known record;
  parts text[];
BEGIN
  SELECT v.fact::jsonb AS fact INTO known FROM (VALUES
    ('not_connected', 'This message was not sent: the administrator suspended its number.', '{"say":"suspended"}'),
    ('new_contacts', 'WhatsApp does not let this number contact new people right now. Nothing was sent. Retry the request later. Known people can still be contacted.', '{"say":"lookUps"}'),
    ('deadline_passed', 'The number had no free slot before the deadline, so the message was not sent.', '{"say":"async"}'),
    ('deadline_passed', 'The service was moved to another machine before this message was sent. Nothing was sent. Send it again if it still matters.', '{"say":"moved"}'),
    ('deadline_passed', 'The service was restored from a backup before this message was sent. Nothing was sent. Send it again if it still matters.', '{"say":"restored"}'),
    ('recipient_unknown', 'The recipient is not on WhatsApp. Nothing was sent. Check the number, then send again.', '{"say":"person"}'),
    ('recipient_unknown', 'This number is not in that group, or the group does not exist. Nothing was sent. Add the number to the group on a phone, or check the group’s ID in the dashboard, then send again.', '{"say":"group"}'),
    ('send_failed', 'The number’s session was restarted before the message was sent. Nothing was sent. You can retry.', '{"say":"fenced"}'),
    ('send_failed', 'WhatsApp Web could not prepare or upload the file. Nothing was sent. You can retry.', '{"say":"media"}'),
    ('send_failed', 'WhatsApp Web cannot read this file as its type. Nothing was sent. Check the file.', '{"say":"media_invalid"}'),
    ('send_failed', 'The file was damaged on this server’s disk before its turn, and could not be downloaded again as it was. Nothing was sent. You can retry.', '{"say":"media_damaged"}'),
    ('send_failed', 'WhatsApp does not accept a file of this size. Nothing was sent. Send a smaller file.', '{"say":"media_too_large"}'),
    ('send_failed', 'WhatsApp does not accept files from this number for now. Nothing was sent. Wait before you send again.', '{"say":"media_throttled"}'),
    ('send_failed', 'WhatsApp does not allow this number to upload the file. Nothing was sent. Open WhatsApp on the phone to see why.', '{"say":"media_forbidden"}'),
    ('send_failed', 'WhatsApp’s file servers failed or could not be reached. Nothing was sent. You can retry.', '{"say":"media_servers"}'),
    ('send_failed', 'This number has blocked the recipient. Nothing was sent. Unblock the contact on the phone.', '{"say":"contact_blocked"}'),
    ('send_failed', 'WhatsApp Web has changed, so Wirebird cannot check who is on WhatsApp. Nothing was sent. Known people can still be contacted. Ask the administrator of this server to update Wirebird.', '{"say":"look_ups_changed"}'),
    ('send_failed', 'WhatsApp Web has changed and built this message wrongly, so it was stopped. Nothing was sent. Ask the administrator of this server to update Wirebird.', '{"say":"draft"}'),
    ('send_failed', 'WhatsApp did not say who is in this group, so the message would have reached nobody. Nothing was sent. You can retry.', '{"say":"members"}'),
    ('send_failed', 'WhatsApp Web could not store the message. Nothing was sent. You can retry.', '{"say":"storage"}'),
    ('send_failed', 'WhatsApp Web could not encrypt the message for this recipient. Nothing was sent. You can retry.', '{"say":"encryption"}'),
    ('send_failed', 'The connection to WhatsApp was lost. Nothing was sent. You can retry.', '{"say":"disconnected"}'),
    ('send_failed', 'WhatsApp Web did not start sending this message, so it was stopped. Nothing was sent. You can retry.', '{"say":"late"}'),
    ('send_failed', 'WhatsApp Web could not send this message. Nothing was sent. You can retry.', '{"say":"page"}'),
    ('send_failed', 'WhatsApp Web did not accept this message in time. Nothing was sent. You can retry.', '{"say":"timeout"}'),
    ('send_failed', 'The file could not be stored. Nothing was sent. You can retry.', '{"say":"notStored"}'),
    ('send_unknown', 'WhatsApp has not confirmed this message. It may have arrived. If it is still not confirmed after 2 minutes, look at the chat on the phone that sends for this number, not the recipient’s, before you send it again.', '{"say":"unconfirmed"}'),
    ('send_unknown', 'The connection was lost while this message was being sent. It may have arrived. If it is still not confirmed after 2 minutes, look at the chat on the phone that sends for this number, not the recipient’s, before you send it again.', '{"say":"lost"}'),
    ('send_unknown', 'The service was restored from a backup that was made while this message waited. It may have been sent since. Look at the chat on the phone that sends for this number, not the recipient’s, before you send it again.', '{"say":"restoredWaiting"}'),
    ('send_unknown', 'This message was scheduled when the service was restored from a backup. This installation does not send it. If the earlier installation runs at the scheduled time, it sends the message. Send it again only if that installation was switched off for good before that time. Otherwise look at the chat on the phone that sends for this number, not the recipient’s, first.', '{"say":"restoredScheduled"}'),
    ('send_unknown', 'The service was moved to another machine while this message was being sent. It may have arrived. Look at the chat on the phone that sends for this number, not the recipient’s, before you send it again.', '{"say":"movedSending"}'),
    ('send_unknown', 'The service was restored from a backup that was made while this message was being sent. It may have arrived. Look at the chat on the phone that sends for this number, not the recipient’s, before you send it again.', '{"say":"restoredSending"}'),
    ('stopping', 'The service is being restarted and this message was not sent. Retry the request shortly.', NULL),
    ('key_revoked', 'This message was not sent: its API key was revoked. To send it, use another key.', NULL),
    ('plan_ended', 'Not sent, because the plan had ended. It is not sent automatically. Send it again if it still matters.', '{"say":"ended"}'),
    ('plan_ended', 'This message was not sent: the plan no longer includes this number. In the dashboard, choose which numbers stay active, or extend the plan. Then send it again.', '{"say":"excess"}'),
    ('suspended', 'This message was not sent: the account was suspended. Ask the administrator to resume it.', NULL),
    ('removed', 'This message was not sent: its number was removed from the account.', '{"say":"number"}'),
    ('removed', 'This message was not sent: the account was deleted.', '{"say":"account"}'),
    ('unlinked', 'This message was not sent: its number was unlinked. Link the number, then send it again.', '{"say":"unlinked"}'),
    ('cancelled_by_caller', 'Cancelled through the API while it waited. It was not sent.', NULL),
    ('cancelled_by_person', 'Cancelled in the dashboard while it waited. It was not sent.', '{"say":"inQueue"}'),
    ('cancelled_by_person', 'Discarded in the dashboard. It was not sent.', '{"say":"setAside"}'),
    ('media_unusable', 'WhatsApp Web cannot read this file as its type. Nothing was sent. Check the file.', '{"say":"media_invalid"}'),
    ('media_too_large', 'WhatsApp does not accept a file of this size. Nothing was sent. Send a smaller file.', '{"say":"media_too_large"}'),
    ('send_failed', 'WhatsApp did not accept this message because the recipient’s address at WhatsApp has changed. Nothing was sent. Send it again. (WhatsApp code 421.)', '{"say":"refused","code":421,"toGroup":false}'),
    ('send_failed', 'WhatsApp did not accept this message because this number sends too much at once. Nothing was sent. Wait before you send again. (WhatsApp code 429.)', '{"say":"refused","code":429,"toGroup":false}'),
    ('send_failed', 'WhatsApp did not accept this message: this number may not start a conversation with this recipient, who has never written to it. Nothing was sent. Ask the recipient to write first. (WhatsApp code 463.)', '{"say":"refused","code":463,"toGroup":false}'),
    ('send_failed', 'WhatsApp did not accept this message: this number has reached its monthly limit for new chats. Nothing was sent. Wait for the next cycle. GET /v1/number shows when it begins. (WhatsApp code 475.)', '{"say":"refused","code":475,"toGroup":false}'),
    ('send_failed', 'WhatsApp did not accept this message and gave no known reason. Nothing was sent. Check the number’s page in the dashboard before you send it again. (WhatsApp code 479.)', '{"say":"refused","code":479,"toGroup":false}'),
    ('send_failed', 'WhatsApp’s server failed on this message. Nothing was sent. Send it again later. (WhatsApp code 500.)', '{"say":"refused","code":500,"toGroup":false}'),
    ('send_failed', 'WhatsApp did not accept this message because the group’s members have changed. Nothing was sent. Send it again. (WhatsApp code 421.)', '{"say":"refused","code":421,"toGroup":true}'),
    ('send_failed', 'WhatsApp did not accept this message, and nothing was sent. Its reason is not known. Wait a minute, then repeat the request from your program, with the same Idempotency-Key if it had one, or press Send again in the dashboard. Do only one.', '{"say":"refused","code":null,"toGroup":false}')) AS v (code, sentence, fact) WHERE v.code = of_code AND v.sentence = outcome_of.sentence;
  IF FOUND THEN RETURN known.fact; END IF;
  parts := regexp_match(sentence, '^The number had no free slot within ([0-9.]+) s, so the message was not sent\.$');
  IF parts IS NOT NULL THEN RETURN jsonb_build_object('say', 'sync', 'seconds', parts[1]::numeric); END IF;
  parts := regexp_match(sentence, '^WhatsApp did not accept this message, and nothing was sent\. Its reason is not known \(WhatsApp’s own code ([0-9]+)\)\.');
  IF parts IS NOT NULL THEN RETURN jsonb_build_object('say', 'refused', 'code', parts[1]::numeric, 'toGroup', false); END IF;
  parts := regexp_match(sentence, '^This message was not sent, because you changed the phone number of (.*)\. Send it again from the new phone number if it still matters\.$');
  IF parts IS NOT NULL THEN
    RETURN jsonb_build_object('say', 'replaced', 'label', CASE WHEN parts[1] = 'the number that it was to be sent from' THEN '' ELSE parts[1] END);
  END IF;
  RETURN jsonb_build_object('say', 'detail', 'detail', sentence);
END $$;
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "outcome" jsonb;--> statement-breakpoint
UPDATE messages SET outcome = outcome_of(error_code, error) WHERE error_code IS NOT NULL AND error IS NOT NULL;--> statement-breakpoint
DROP FUNCTION outcome_of(text, text);--> statement-breakpoint
CREATE OR REPLACE FUNCTION record_message_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  delivered_at timestamptz;
  read_at timestamptz;
BEGIN
  IF NOT wants_webhook_event(NEW.account_id, NEW.number_id, 'message.' || NEW.status) THEN RETURN NULL; END IF;
  IF NEW.status IN ('delivered', 'read') THEN
    SELECT coalesce(min(at), clock_timestamp()) INTO delivered_at FROM message_events
      WHERE message_id = NEW.id AND event = 'delivered';
  END IF;
  IF NEW.status = 'read' THEN read_at := clock_timestamp(); END IF;
  PERFORM record_webhook_event(NEW.account_id, NEW.number_id, NEW.id, 'message.' || NEW.status, json_build_object(
    'id', NEW.id, 'reference', NEW.reference, 'sequence', NEW.event_sequence, 'status', NEW.status,
    'errorCode', NEW.error_code, 'outcome', NEW.outcome, 'kind', NEW.type, 'to', NEW.recipient,
    'number', (SELECT phone_number FROM numbers WHERE id = NEW.number_id), 'numberId', NEW.number_id,
    'createdAt', to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'sentAt', to_char(NEW.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'deliveredAt', to_char(delivered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'readAt', to_char(read_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "error";
