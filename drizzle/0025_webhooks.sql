CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"request_headers" json,
	"status" integer,
	"answer" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" text NOT NULL,
	"event_id" text NOT NULL,
	"subject" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"number_id" text,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"active" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"last_success_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"number_id" text,
	"subject" text NOT NULL,
	"type" text NOT NULL,
	"data" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "event_sequence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "event_sequence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_of_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("endpoint_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("endpoint_id","id") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_order" ON "webhook_deliveries" USING btree ("endpoint_id","subject","id") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_account" ON "webhook_endpoints" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_events_of_account" ON "webhook_events" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_reference" ON "messages" USING btree ("number_id","reference","created_at","seq") WHERE reference is not null;--> statement-breakpoint
CREATE TABLE "recipient_checks" (
	"number_id" text NOT NULL,
	"digits" text NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "recipient_checks_number_id_digits_pk" PRIMARY KEY("number_id","digits")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "send_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recipient_checks" ADD CONSTRAINT "recipient_checks_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recipient_checks_asked" ON "recipient_checks" USING btree ("number_id","asked_at");--> statement-breakpoint
CREATE INDEX "recipient_checks_waiting" ON "recipient_checks" USING btree ("number_id","asked_at") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "messages_of_number" ON "messages" USING btree ("number_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "messages_of_number_by_status" ON "messages" USING btree ("number_id","status","created_at","seq");--> statement-breakpoint
CREATE INDEX "messages_of_number_by_recipient" ON "messages" USING btree ("number_id","recipient","created_at","seq");--> statement-breakpoint
CREATE INDEX "messages_scheduled" ON "messages" USING btree ("number_id","send_at") WHERE status = 'queued' and send_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_attempts_by_time" ON "webhook_attempts" USING btree ("at");--> statement-breakpoint
-- Each announced change of a message gets the next number, whether anybody is subscribed or not.
CREATE OR REPLACE FUNCTION guard_message_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = NEW.status THEN RETURN NEW; END IF;
  IF (OLD.status, NEW.status) IN (
    ('queued', 'sending'), ('queued', 'expired'), ('queued', 'cancelled'), ('queued', 'failed'),
    ('sending', 'sent'), ('sending', 'delivered'), ('sending', 'read'), ('sending', 'failed'), ('sending', 'unknown'),
    ('unknown', 'sent'), ('unknown', 'delivered'), ('unknown', 'read'), ('unknown', 'failed'),
    ('sent', 'delivered'), ('sent', 'read'), ('delivered', 'read')
  ) THEN
    IF NEW.status <> 'sending' THEN NEW.event_sequence := OLD.event_sequence + 1; END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'message % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
-- An event and its deliveries, in the transaction of the change itself: both are committed, or neither.
-- The lock keeps an endpoint from being deleted in between, which would fail that transaction.
CREATE FUNCTION record_webhook_event(of_account text, of_number text, of_subject text, of_type text, of_data json)
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
--> statement-breakpoint
-- Whether anybody wants it. An endpoint that is switched off counts: what it missed can be replayed.
CREATE FUNCTION wants_webhook_event(of_account text, of_number text, of_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM webhook_endpoints
    WHERE account_id = of_account AND (number_id IS NULL OR number_id = of_number) AND of_type = ANY (events))
$$;
--> statement-breakpoint
-- A message that is read was delivered by then, whether that was reported before or not.
CREATE FUNCTION record_message_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  read_at timestamptz := CASE WHEN NEW.status = 'read' THEN clock_timestamp() END;
  delivered_at timestamptz;
BEGIN
  IF NOT wants_webhook_event(NEW.account_id, NEW.number_id, 'message.' || NEW.status) THEN RETURN NULL; END IF;
  IF NEW.status IN ('delivered', 'read') THEN
    SELECT coalesce(min(at), clock_timestamp()) INTO delivered_at FROM message_events
      WHERE message_id = NEW.id AND event = 'delivered';
  END IF;
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
--> statement-breakpoint
CREATE TRIGGER messages_webhook AFTER UPDATE OF status ON messages
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status <> 'sending') EXECUTE FUNCTION record_message_event();
--> statement-breakpoint
CREATE FUNCTION count_number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.event_sequence := OLD.event_sequence + 1;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER numbers_count_event BEFORE UPDATE OF status ON numbers
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_number_event();
--> statement-breakpoint
CREATE FUNCTION record_number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT wants_webhook_event(NEW.account_id, NEW.id, 'number.status') THEN RETURN NULL; END IF;
  PERFORM record_webhook_event(NEW.account_id, NEW.id, NEW.id, 'number.status', json_build_object(
    'id', NEW.id, 'sequence', NEW.event_sequence, 'status', NEW.status, 'previousStatus', OLD.status,
    'reason', NEW.status_reason, 'number', NEW.phone_number, 'numberId', NEW.id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER numbers_webhook AFTER UPDATE OF status ON numbers
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION record_number_event();
