-- The audit log outlives its accounts, and texts such as a phone number or a URL name somebody.
CREATE FUNCTION audit_detail_without_texts(detail jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, value) FROM jsonb_each(detail) WHERE jsonb_typeof(value) <> 'string'
$$;
--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON audit_log;
--> statement-breakpoint
UPDATE audit_log l SET detail = audit_detail_without_texts(detail)
  WHERE account_id IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = l.account_id);
--> statement-breakpoint
-- Append-only, except that the entries of a deleted account lose their texts.
CREATE FUNCTION guard_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'detail' = to_jsonb(OLD) - 'detail'
    AND NEW.detail IS NOT DISTINCT FROM audit_detail_without_texts(OLD.detail)
    AND EXISTS (SELECT FROM accounts a WHERE a.id = OLD.account_id AND a.deleted_at IS NOT NULL)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION guard_audit_log();
--> statement-breakpoint
-- Last, because a turn that cannot lock a table begins again, and the index takes the longest.
CREATE INDEX "messages_of_key" ON "messages" USING btree ("api_key_id") WHERE api_key_id is not null;
