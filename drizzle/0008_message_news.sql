-- A worker is woken and a caller answered by the notification itself, without a look at the row:
-- `<message id> <number id> <status> <media status>`.
CREATE OR REPLACE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wirebird_message', NEW.id || ' ' || NEW.number_id || ' ' || NEW.status || ' ' || NEW.media_status);
  RETURN NULL;
END $$;
