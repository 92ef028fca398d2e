-- The current text of every function and trigger. A migration brings each change to installations; a test compares both.
-- The triggers of a table run in the order of their names.

-- ## messages

-- Whatever a process believes, nothing returns to `queued`. `npm run db:transitions` writes the pairs. Each announced change
-- gets the next number, whether anybody is subscribed or not.
CREATE OR REPLACE FUNCTION guard_message_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = NEW.status THEN RETURN NEW; END IF;
  IF (OLD.status, NEW.status) IN (
    ('queued', 'sending'), ('queued', 'expired'), ('queued', 'cancelled'), ('queued', 'failed'),
    ('sending', 'sent'), ('sending', 'delivered'), ('sending', 'read'), ('sending', 'failed'), ('sending', 'unknown'),
    ('unknown', 'sent'), ('unknown', 'delivered'), ('unknown', 'read'), ('unknown', 'failed'),
    ('sent', 'delivered'), ('sent', 'read'),
    ('delivered', 'read')
  ) THEN
    IF NEW.status <> 'sending' THEN NEW.event_sequence := OLD.event_sequence + 1; END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'message % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE TRIGGER messages_status BEFORE UPDATE OF status ON messages
  FOR EACH ROW EXECUTE FUNCTION guard_message_status();

-- A change goes only to those whom it concerns: the worker that leases its number, the web process whose caller
-- waits for it, and the open pages of its account. So a process gets no more announcements when more processes run.
-- To processes: `<message id> <number id> <status> <media status>`; to pages: `message <message id> <number id>`.
CREATE OR REPLACE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  news text := NEW.id || ' ' || NEW.number_id || ' ' || NEW.status || ' ' || NEW.media_status;
  worker text := (SELECT worker_id FROM leases WHERE number_id = NEW.number_id);
BEGIN
  IF worker IS NOT NULL THEN
    PERFORM pg_notify('wirebird_process_' || worker, news);
  END IF;
  IF NEW.web_id IS NOT NULL AND NOT NEW.answered AND NEW.status NOT IN ('queued', 'sending') THEN
    PERFORM pg_notify('wirebird_process_' || NEW.web_id, news);
  END IF;
  PERFORM pg_notify('wirebird_account_' || NEW.account_id, 'message ' || NEW.id || ' ' || NEW.number_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messages_tell_new AFTER INSERT ON messages
  FOR EACH ROW EXECUTE FUNCTION tell_message();
CREATE OR REPLACE TRIGGER messages_tell_status AFTER UPDATE OF status ON messages
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_message();

-- Counts follow each message in the transaction that changes it. Inserting here waits for nobody, and the hours and days are
-- found later, outside of that transaction. Deleted messages stay counted. Changes that no count shows are left out.
CREATE OR REPLACE FUNCTION count_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was text := coalesce(OLD.status, 'queued');
  becomes text := NEW.status;
  was_delivered boolean := was IN ('delivered', 'read');
  is_delivered boolean := becomes IN ('delivered', 'read');
BEGIN
  IF was_delivered OR was = 'sent' THEN was := 'sent'; END IF;
  IF is_delivered OR becomes = 'sent' THEN becomes := 'sent'; END IF;
  IF was <> becomes AND was NOT IN ('queued', 'sending') THEN
    INSERT INTO message_count_deltas (account_id, number_id, api_key_id, type, outcome, created_at, amount)
      VALUES (OLD.account_id, OLD.number_id, coalesce(OLD.api_key_id, ''), OLD.type, was, OLD.created_at, -1);
  END IF;
  IF was <> becomes THEN
    INSERT INTO message_count_deltas (account_id, number_id, api_key_id, type, outcome, created_at, amount)
      VALUES (NEW.account_id, NEW.number_id, coalesce(NEW.api_key_id, ''), NEW.type, becomes, NEW.created_at, 1);
  END IF;
  IF is_delivered AND NOT was_delivered THEN
    INSERT INTO message_count_deltas (account_id, number_id, api_key_id, type, outcome, created_at, amount)
      VALUES (NEW.account_id, NEW.number_id, coalesce(NEW.api_key_id, ''), NEW.type, 'delivered', NEW.created_at, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messages_count AFTER UPDATE OF status ON messages
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status NOT IN ('queued', 'sending') AND OLD.status <> 'delivered')
  EXECUTE FUNCTION count_message();
CREATE OR REPLACE TRIGGER messages_count_new AFTER INSERT ON messages
  FOR EACH ROW WHEN (NEW.status NOT IN ('queued', 'sending')) EXECUTE FUNCTION count_message();

-- Nothing of an erased text stays in the search. The lock waits while blocks are made
-- (`server/operations/queries/search-blocks.ts`), so that none is made from a text that is being erased.
CREATE OR REPLACE FUNCTION forget_search_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7270036);
  UPDATE search_blocks SET grams = NULL
    WHERE number_id = OLD.number_id AND from_seq <= OLD.seq AND grams IS NOT NULL
      AND to_seq = (SELECT min(to_seq) FROM search_blocks WHERE number_id = OLD.number_id AND to_seq >= OLD.seq);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messages_forget AFTER UPDATE OF content, recipient, reference ON messages
  FOR EACH ROW WHEN (OLD.content IS DISTINCT FROM NEW.content OR OLD.recipient <> NEW.recipient
    OR OLD.reference IS DISTINCT FROM NEW.reference)
  EXECUTE FUNCTION forget_search_block();

-- The same for deleted messages, once for each statement, because most share their blocks.
CREATE OR REPLACE FUNCTION forget_deleted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  block record;
BEGIN
  IF NOT EXISTS (SELECT FROM deleted) THEN RETURN NULL; END IF;
  -- The lock before the look-up, so that it sees the blocks that were just made.
  PERFORM pg_advisory_xact_lock_shared(7270036);
  FOR block IN
    SELECT number_id, to_seq, max(seq) AS seq FROM (
      SELECT d.number_id, d.seq, (SELECT min(to_seq) FROM search_blocks WHERE number_id = d.number_id AND to_seq >= d.seq) AS to_seq
      FROM deleted d) m
    GROUP BY number_id, to_seq ORDER BY number_id, to_seq
  LOOP
    UPDATE search_blocks SET grams = NULL
      WHERE number_id = block.number_id AND to_seq = block.to_seq AND from_seq <= block.seq AND grams IS NOT NULL;
  END LOOP;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messages_forget_deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION forget_deleted_messages();

-- A webhook event for each announced change. A message that is read was delivered by then, whether that was reported
-- before or not. The time of the reading is taken second, so that it is never the earlier one.
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
CREATE OR REPLACE TRIGGER messages_webhook AFTER UPDATE OF status ON messages
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status <> 'sending') EXECUTE FUNCTION record_message_event();

-- ## numbers

-- Each change of the status gets the next number, whether anybody is subscribed or not.
CREATE OR REPLACE FUNCTION count_number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.event_sequence := OLD.event_sequence + 1;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER numbers_count_event BEFORE UPDATE OF status ON numbers
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_number_event();

-- A webhook event for each change of the status.
CREATE OR REPLACE FUNCTION record_number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT wants_webhook_event(NEW.account_id, NEW.id, 'number.status') THEN RETURN NULL; END IF;
  PERFORM record_webhook_event(NEW.account_id, NEW.id, NEW.id, 'number.status', json_build_object(
    'id', NEW.id, 'sequence', NEW.event_sequence, 'status', NEW.status, 'previousStatus', OLD.status,
    'cause', NEW.cause, 'number', NEW.phone_number, 'numberId', NEW.id));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER numbers_webhook AFTER UPDATE OF status ON numbers
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION record_number_event();

-- Dashboards follow a number live: state, linking, hold, queue.
CREATE OR REPLACE FUNCTION tell_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wirebird_number', NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER numbers_tell AFTER INSERT OR UPDATE ON numbers
  FOR EACH ROW EXECUTE FUNCTION tell_number();

-- ## number_links, number_groups, number_checks

-- A request wakes the number's worker, and the answer updates the page that shows it.
CREATE OR REPLACE FUNCTION tell_number_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wirebird_number', coalesce(NEW.number_id, OLD.number_id));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER number_links_tell AFTER INSERT OR UPDATE OR DELETE ON number_links
  FOR EACH ROW EXECUTE FUNCTION tell_number_link();
CREATE OR REPLACE TRIGGER number_groups_tell AFTER INSERT OR UPDATE ON number_groups
  FOR EACH ROW EXECUTE FUNCTION tell_number_link();
CREATE OR REPLACE TRIGGER number_checks_tell AFTER INSERT OR UPDATE ON number_checks
  FOR EACH ROW EXECUTE FUNCTION tell_number_link();

-- ## webhook_events, webhook_deliveries

-- An event and its deliveries, in the transaction of the change itself: both are committed, or neither.
-- The lock keeps an endpoint from being deleted in between, which would fail that transaction.
CREATE OR REPLACE FUNCTION record_webhook_event(of_account text, of_number text, of_subject text, of_type text, of_data json)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new_id text := 'evt_' || replace(gen_random_uuid()::text, '-', '');
  endpoint text;
BEGIN
  INSERT INTO webhook_events (id, account_id, number_id, subject, type, data)
    VALUES (new_id, of_account, of_number, of_subject, of_type, of_data);
  FOR endpoint IN
    WITH subscribed AS (
      SELECT id FROM webhook_endpoints
      WHERE account_id = of_account AND active AND (number_id IS NULL OR number_id = of_number) AND of_type = ANY (events)
      FOR KEY SHARE
    )
    INSERT INTO webhook_deliveries (endpoint_id, event_id, subject) SELECT id, new_id, of_subject FROM subscribed
    RETURNING endpoint_id
  LOOP
    PERFORM pg_notify('wirebird_webhook', endpoint);
  END LOOP;
END $$;

-- Whether anybody wants an event. An endpoint that is switched off counts: what it missed can be replayed.
CREATE OR REPLACE FUNCTION wants_webhook_event(of_account text, of_number text, of_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM webhook_endpoints
    WHERE account_id = of_account AND (number_id IS NULL OR number_id = of_number) AND of_type = ANY (events))
$$;

-- ## audit_log

-- The log outlives its accounts, and texts such as a phone number or a URL name somebody.
CREATE OR REPLACE FUNCTION audit_detail_without_texts(detail jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, value) FROM jsonb_each(detail) WHERE jsonb_typeof(value) <> 'string'
$$;

-- Append-only, except that the entries of a deleted account lose their texts.
CREATE OR REPLACE FUNCTION guard_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'detail' = to_jsonb(OLD) - 'detail'
    AND NEW.detail IS NOT DISTINCT FROM audit_detail_without_texts(OLD.detail)
    AND EXISTS (SELECT FROM accounts a WHERE a.id = OLD.account_id AND a.deleted_at IS NOT NULL)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION guard_audit_log();
