-- A change of a message goes only to those whom it concerns: the worker that leases its number, the web process whose
-- caller waits for it, and the open pages of its account. So a process gets no more announcements when more processes run.
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
