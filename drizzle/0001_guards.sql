-- The transitions of server/core/message-state.ts: whatever a process believes, nothing returns to `queued`.
CREATE FUNCTION guard_message_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = NEW.status THEN RETURN NEW; END IF;
  IF (OLD.status, NEW.status) IN (
    ('queued', 'sending'), ('queued', 'expired'), ('queued', 'cancelled'), ('queued', 'failed'),
    ('sending', 'sent'), ('sending', 'delivered'), ('sending', 'read'), ('sending', 'failed'), ('sending', 'unknown'),
    ('unknown', 'sent'), ('unknown', 'delivered'), ('unknown', 'read'), ('unknown', 'failed'),
    ('sent', 'delivered'), ('sent', 'read'), ('delivered', 'read')
  ) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'message % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_status BEFORE UPDATE OF status ON messages
  FOR EACH ROW EXECUTE FUNCTION guard_message_status();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Dashboards follow a number live: state, linking, hold, queue.
CREATE FUNCTION tell_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wirebird_number', NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER numbers_tell AFTER INSERT OR UPDATE ON numbers
  FOR EACH ROW EXECUTE FUNCTION tell_number();
--> statement-breakpoint
CREATE FUNCTION tell_number_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wirebird_number', coalesce(NEW.number_id, OLD.number_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER number_links_tell AFTER INSERT OR UPDATE OR DELETE ON number_links
  FOR EACH ROW EXECUTE FUNCTION tell_number_link();
--> statement-breakpoint
-- Callers wait for a message's outcome, dashboards show it: `<message id> <number id>`.
CREATE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wirebird_message', NEW.id || ' ' || NEW.number_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_tell_new AFTER INSERT ON messages
  FOR EACH ROW EXECUTE FUNCTION tell_message();
--> statement-breakpoint
CREATE TRIGGER messages_tell_status AFTER UPDATE OF status ON messages
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_message();
