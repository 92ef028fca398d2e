CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"suspended_at" timestamp (3) with time zone,
	"text_retention_days" integer DEFAULT 30 NOT NULL,
	"metadata_retention_days" integer DEFAULT 90 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "memberships_user_id_account_id_pk" PRIMARY KEY("user_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"number_id" text NOT NULL,
	"name" text NOT NULL,
	"hmac" text NOT NULL,
	"hint" text NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_actors" (
	"audit_id" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" text,
	"address" text
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text,
	"action" text NOT NULL,
	"target" text,
	"detail" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"number_id" text PRIMARY KEY NOT NULL,
	"worker_id" text,
	"fence" bigint DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"renewed_at" timestamp (3) with time zone,
	"next_send_at" timestamp (3) with time zone DEFAULT '-infinity' NOT NULL,
	"slots" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"key" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "look_ups" (
	"number_id" text NOT NULL,
	"digits" text NOT NULL,
	"found" boolean NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" text NOT NULL,
	"event" text NOT NULL,
	"detail" text,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"number_id" text NOT NULL,
	"api_key_id" text,
	"type" text NOT NULL,
	"recipient" text NOT NULL,
	"content" jsonb,
	"status" text DEFAULT 'queued' NOT NULL,
	"lane" text NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"media_status" text NOT NULL,
	"media_mime_type" text,
	"media_bytes" integer,
	"media_sha256" text,
	"wa_message_id" text,
	"fence" bigint,
	"dispatched_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"error_code" text,
	"error" text,
	"request_id" text,
	"request_hash" text,
	"idempotency_key" text,
	"web_id" text,
	"answered" boolean DEFAULT false NOT NULL,
	"caller_left_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "number_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "number_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"number_id" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "number_links" (
	"number_id" text PRIMARY KEY NOT NULL,
	"qr" text,
	"qr_expires_at" timestamp (3) with time zone,
	"pairing_code" text,
	"sync_percent" integer,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "numbers" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"network" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"phone_number" text,
	"sandbox_phone" text,
	"status" text DEFAULT 'UNLINKED' NOT NULL,
	"status_reason" text,
	"status_since" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"intent" text DEFAULT 'idle' NOT NULL,
	"intent_revision" integer DEFAULT 0 NOT NULL,
	"link_until" timestamp (3) with time zone,
	"pairing_phone" text,
	"moving_until" timestamp (3) with time zone,
	"send_interval_seconds" integer DEFAULT 8 NOT NULL,
	"held_at" timestamp (3) with time zone,
	"suspended_at" timestamp (3) with time zone,
	"first_linked_at" timestamp (3) with time zone,
	"kept" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"amount_cents" integer,
	"numbers_included" integer NOT NULL,
	"paid_until" date NOT NULL,
	"note" text,
	"recorded_by" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"account_id" text PRIMARY KEY NOT NULL,
	"numbers_included" integer NOT NULL,
	"paid_until" date NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"note" text,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"admin" boolean DEFAULT false NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_actors" ADD CONSTRAINT "audit_actors_audit_id_audit_log_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audit_log"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "look_ups" ADD CONSTRAINT "look_ups_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_events" ADD CONSTRAINT "message_events_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_events" ADD CONSTRAINT "number_events_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_links" ADD CONSTRAINT "number_links_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "numbers" ADD CONSTRAINT "numbers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_of_account" ON "api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_of_account" ON "audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "leases_of_worker" ON "leases" USING btree ("worker_id");--> statement-breakpoint
CREATE UNIQUE INDEX "look_ups_key" ON "look_ups" USING btree ("number_id","digits");--> statement-breakpoint
CREATE INDEX "message_events_of_message" ON "message_events" USING btree ("message_id","id");--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("number_id","lane","seq") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "messages_open" ON "messages" USING btree ("number_id") WHERE status in ('sending', 'unknown');--> statement-breakpoint
CREATE INDEX "messages_of_account" ON "messages" USING btree ("account_id","seq" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "messages_wa_id" ON "messages" USING btree ("number_id","wa_message_id") WHERE wa_message_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_idempotency" ON "messages" USING btree ("number_id","idempotency_key") WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX "messages_repeat" ON "messages" USING btree ("number_id","request_hash") WHERE answered = false;--> statement-breakpoint
CREATE INDEX "number_events_of_number" ON "number_events" USING btree ("number_id","id");--> statement-breakpoint
CREATE INDEX "numbers_of_account" ON "numbers" USING btree ("account_id") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "numbers_live_phone" ON "numbers" USING btree ("network","phone_number") WHERE removed_at is null and status in ('SYNCING', 'CONNECTED', 'RECONNECTING', 'CONFLICT', 'BLOCKED');--> statement-breakpoint
CREATE INDEX "payments_of_account" ON "payments" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));