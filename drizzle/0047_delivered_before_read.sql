-- A message that is read was delivered by then, whether that was reported before or not. The time of the reading is taken
-- second, so that it is never the earlier one.
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
    'errorCode', NEW.error_code, 'error', NEW.error, 'kind', NEW.type, 'to', NEW.recipient,
    'number', (SELECT phone_number FROM numbers WHERE id = NEW.number_id), 'numberId', NEW.number_id,
    'createdAt', to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'sentAt', to_char(NEW.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'deliveredAt', to_char(delivered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'readAt', to_char(read_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  RETURN NULL;
END $$;
