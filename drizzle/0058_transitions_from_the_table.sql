-- The pairs as `npm run db:transitions` writes them; the transitions are the same.
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
--> statement-breakpoint
-- No trigger uses it since `guard_audit_log`.
DROP FUNCTION refuse_change();
