CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"suspended_at" timestamp (3) with time zone,
	"text_retention_days" integer DEFAULT 30 NOT NULL,
	"metadata_retention_days" integer DEFAULT 90 NOT NULL,
	"media_retention_hours" integer DEFAULT 24 NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"risk_accepted_at" timestamp (3) with time zone,
	"time_zone" text,
	"counts_time_zone" text,
	"counted_at" timestamp (3) with time zone,
	"messages_held_from" timestamp (3) with time zone,
	"saved_views" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_mails" (
	"alert_id" text NOT NULL,
	"user_id" text NOT NULL,
	"digest" boolean DEFAULT false NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "alert_mails_alert_id_user_id_pk" PRIMARY KEY("alert_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "alert_reads" (
	"alert_id" text NOT NULL,
	"user_id" text NOT NULL,
	CONSTRAINT "alert_reads_alert_id_user_id_pk" PRIMARY KEY("alert_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"event_key" text NOT NULL,
	"account_id" text NOT NULL,
	"number_id" text,
	"kind" text NOT NULL,
	"incident" bigint,
	"facts" jsonb,
	"cancelled" integer,
	"happened_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "alerts_event_key_unique" UNIQUE("event_key")
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
CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"wait_until" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "erased_numbers" (
	"number_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" text NOT NULL,
	"role" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"invited_by" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_places" (
	"who" text NOT NULL,
	"place" text NOT NULL,
	"user_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_places_who_place_pk" PRIMARY KEY("who","place")
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
CREATE TABLE "look_ups" (
	"number_id" text NOT NULL,
	"digits" text NOT NULL,
	"found" boolean NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"address" text
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"alerts_read_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "memberships_user_id_account_id_pk" PRIMARY KEY("user_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "message_count_deltas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_count_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"number_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"type" text NOT NULL,
	"outcome" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_counts" (
	"account_id" text NOT NULL,
	"unit" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"number_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"type" text NOT NULL,
	"outcome" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "message_counts_pk" PRIMARY KEY("account_id","unit","at","number_id","api_key_id","type","outcome")
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
	"set_aside" boolean DEFAULT false NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"not_before" timestamp (3) with time zone,
	"send_at" timestamp (3) with time zone,
	"media_status" text NOT NULL,
	"media_mime_type" text,
	"media_bytes" integer,
	"media_sha256" text,
	"wa_message_id" text,
	"fence" bigint,
	"dispatched_at" timestamp (3) with time zone,
	"page_build" text,
	"sent_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"error_code" text,
	"outcome" jsonb,
	"request_id" text,
	"request_hash" text,
	"idempotency_key" text,
	"key_taken_from" text,
	"reference" text,
	"repeats" text,
	"event_sequence" integer DEFAULT 0 NOT NULL,
	"web_id" text,
	"answered" boolean DEFAULT false NOT NULL,
	"caller_left_at" timestamp (3) with time zone,
	"hung_up_after_ms" integer,
	"dismissed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "number_builds" (
	"number_id" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"kept" boolean NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "number_checks" (
	"number_id" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"result" jsonb
);
--> statement-breakpoint
CREATE TABLE "number_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "number_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"number_id" text NOT NULL,
	"status" text NOT NULL,
	"cause" jsonb,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "number_groups" (
	"number_id" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"groups" jsonb,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "number_health" (
	"number_id" text PRIMARY KEY NOT NULL,
	"timelock_kind" text,
	"timelock_until" timestamp (3) with time zone,
	"cap_status" text,
	"cap_total" integer,
	"cap_used" integer,
	"cap_until" timestamp (3) with time zone,
	"checkpoint" text,
	"pause_until" timestamp (3) with time zone,
	"pauses" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"look_ups_until" timestamp (3) with time zone,
	"look_up_refusals" integer DEFAULT 0 NOT NULL,
	"restricted_since" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "number_links" (
	"number_id" text PRIMARY KEY NOT NULL,
	"qr" text,
	"qr_expires_at" timestamp (3) with time zone,
	"pairing_code" text,
	"sync_percent" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"pairing_expires_at" timestamp (3) with time zone,
	"passkey" text,
	"passkey_reply" text,
	"passkey_replied_at" timestamp (3) with time zone
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
	"cause" jsonb,
	"blocked_until" timestamp (3) with time zone,
	"status_since" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"intent" text DEFAULT 'idle' NOT NULL,
	"intent_revision" integer DEFAULT 0 NOT NULL,
	"link_until" timestamp (3) with time zone,
	"link_seen_at" timestamp (3) with time zone,
	"pairing_phone" text,
	"moving_until" timestamp (3) with time zone,
	"send_interval_seconds" integer DEFAULT 8 NOT NULL,
	"held_at" timestamp (3) with time zone,
	"held_to_decide" boolean DEFAULT false NOT NULL,
	"replacement_phone" text,
	"suspended_at" timestamp (3) with time zone,
	"suspended_reason" text,
	"first_linked_at" timestamp (3) with time zone,
	"linked_at" timestamp (3) with time zone,
	"protected" boolean DEFAULT false NOT NULL,
	"trial_active_at" timestamp (3) with time zone,
	"kept" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"event_sequence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "page_build_failures" (
	"network" text NOT NULL,
	"version" text NOT NULL,
	"number_id" text NOT NULL,
	"failures" integer NOT NULL,
	"tested_by" text NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "page_build_failures_network_version_number_id_pk" PRIMARY KEY("network","version","number_id")
);
--> statement-breakpoint
CREATE TABLE "page_build_kinds" (
	"network" text NOT NULL,
	"version" text NOT NULL,
	"kind" text NOT NULL,
	"tested_at" timestamp (3) with time zone NOT NULL,
	"tested_by" text NOT NULL,
	"failed_check" text,
	"proven_at" timestamp (3) with time zone,
	"trying_number_id" text,
	"trying_until" timestamp (3) with time zone,
	CONSTRAINT "page_build_kinds_network_version_kind_pk" PRIMARY KEY("network","version","kind")
);
--> statement-breakpoint
CREATE TABLE "page_builds" (
	"network" text NOT NULL,
	"version" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"verdict" text,
	"failed_check" text,
	"tested_at" timestamp (3) with time zone,
	"tested_by" text,
	"comms" text,
	"proven_at" timestamp (3) with time zone,
	"unserved_at" timestamp (3) with time zone,
	"trying_number_id" text,
	"trying_until" timestamp (3) with time zone,
	"document" "bytea",
	CONSTRAINT "page_builds_network_version_pk" PRIMARY KEY("network","version")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"amount_cents" integer,
	"numbers_included" integer NOT NULL,
	"paid_until" date NOT NULL,
	"note" text,
	"paid_on" date,
	"reference" text,
	"recorded_by" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"numbers" integer NOT NULL,
	"contact" text NOT NULL,
	"note" text NOT NULL,
	"requested_by" text,
	"payment_id" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"pid_space" text,
	"version" text,
	"volume_id" text,
	"memory_bytes" bigint,
	"drain_requested_at" timestamp (3) with time zone,
	"draining_at" timestamp (3) with time zone,
	"media_refused_at" timestamp (3) with time zone,
	"sessions_stopped_at" timestamp (3) with time zone,
	"disk_note" text,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"alive_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"number_id" text PRIMARY KEY NOT NULL,
	"volume_id" text,
	"host" text,
	"generation" bigint DEFAULT 0 NOT NULL,
	"snapshot" "bytea",
	"snapshot_version" integer,
	"snapshot_generation" bigint,
	"snapshot_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"key" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipient_checks" (
	"number_id" text NOT NULL,
	"digits" text NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"asks" integer DEFAULT 1 NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "recipient_checks_number_id_digits_pk" PRIMARY KEY("number_id","digits")
);
--> statement-breakpoint
CREATE TABLE "recipients" (
	"number_id" text NOT NULL,
	"recipient" text NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"known_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	CONSTRAINT "recipients_number_id_recipient_pk" PRIMARY KEY("number_id","recipient")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"number_id" text,
	"key_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"endpoint" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"request_id" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"message_id" text,
	"reference" text,
	"body" text,
	"answer" text,
	"dismissed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "reset_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"mailed" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_blocks" (
	"account_id" text NOT NULL,
	"number_id" text NOT NULL,
	"from_seq" bigint NOT NULL,
	"to_seq" bigint NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"grams" integer[],
	CONSTRAINT "search_blocks_pk" PRIMARY KEY("number_id","to_seq")
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"version" integer NOT NULL,
	"address" text,
	"user_agent" text,
	"confirmed_at" timestamp (3) with time zone NOT NULL,
	"renewals" integer DEFAULT 0 NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"views_account_id" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_ups" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"account_name" text,
	"invitation_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
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
	"email_confirmed_at" timestamp (3) with time zone,
	"admin" boolean DEFAULT false NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"totp_secret" text,
	"totp_since" timestamp (3) with time zone,
	"totp_step" bigint DEFAULT 0 NOT NULL,
	"mail_times" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
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
	"older_secrets" json DEFAULT '[]'::json NOT NULL,
	"unsigned_since" timestamp (3) with time zone,
	"active" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"last_duration_ms" integer,
	"last_success_at" timestamp (3) with time zone,
	"test_sequence" integer DEFAULT 0 NOT NULL,
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
ALTER TABLE "alert_mails" ADD CONSTRAINT "alert_mails_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_mails" ADD CONSTRAINT "alert_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_reads" ADD CONSTRAINT "alert_reads_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_reads" ADD CONSTRAINT "alert_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_actors" ADD CONSTRAINT "audit_actors_audit_id_audit_log_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audit_log"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_places" ADD CONSTRAINT "known_places_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "look_ups" ADD CONSTRAINT "look_ups_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_counts" ADD CONSTRAINT "message_counts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_events" ADD CONSTRAINT "message_events_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_builds" ADD CONSTRAINT "number_builds_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_checks" ADD CONSTRAINT "number_checks_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_events" ADD CONSTRAINT "number_events_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_groups" ADD CONSTRAINT "number_groups_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_health" ADD CONSTRAINT "number_health_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_links" ADD CONSTRAINT "number_links_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "numbers" ADD CONSTRAINT "numbers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_build_failures" ADD CONSTRAINT "page_build_failures_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_build_failures" ADD CONSTRAINT "page_build_failures_build_fk" FOREIGN KEY ("network","version") REFERENCES "public"."page_builds"("network","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_build_kinds" ADD CONSTRAINT "page_build_kinds_trying_number_id_numbers_id_fk" FOREIGN KEY ("trying_number_id") REFERENCES "public"."numbers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_build_kinds" ADD CONSTRAINT "page_build_kinds_build_fk" FOREIGN KEY ("network","version") REFERENCES "public"."page_builds"("network","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_builds" ADD CONSTRAINT "page_builds_trying_number_id_numbers_id_fk" FOREIGN KEY ("trying_number_id") REFERENCES "public"."numbers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_requests" ADD CONSTRAINT "plan_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_requests" ADD CONSTRAINT "plan_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_requests" ADD CONSTRAINT "plan_requests_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipient_checks" ADD CONSTRAINT "recipient_checks_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reset_links" ADD CONSTRAINT "reset_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_blocks" ADD CONSTRAINT "search_blocks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_blocks" ADD CONSTRAINT "search_blocks_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_views_account_id_accounts_id_fk" FOREIGN KEY ("views_account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_mails_due" ON "alert_mails" USING btree ("next_try_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "alerts_of_account" ON "alerts" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "alerts_of_number" ON "alerts" USING btree ("number_id","incident");--> statement-breakpoint
CREATE INDEX "alerts_open" ON "alerts" USING btree ("kind") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_of_account" ON "api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "attempts_updated" ON "attempts" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "audit_actors_of_user" ON "audit_actors" USING btree ("user_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_log_of_account" ON "audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_day" ON "audit_log" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitations_of_account" ON "invitations" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "known_places_of_user" ON "known_places" USING btree ("user_id","seen_at");--> statement-breakpoint
CREATE INDEX "leases_of_worker" ON "leases" USING btree ("worker_id");--> statement-breakpoint
CREATE UNIQUE INDEX "look_ups_key" ON "look_ups" USING btree ("number_id","digits");--> statement-breakpoint
CREATE INDEX "look_ups_address" ON "look_ups" USING btree ("number_id","address") WHERE address is not null;--> statement-breakpoint
CREATE INDEX "look_ups_at" ON "look_ups" USING btree ("number_id","at");--> statement-breakpoint
CREATE INDEX "memberships_of_account" ON "memberships" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "message_events_of_message" ON "message_events" USING btree ("message_id","id");--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("number_id","lane","seq") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "messages_open" ON "messages" USING btree ("number_id") WHERE status in ('sending', 'unknown');--> statement-breakpoint
CREATE INDEX "messages_of_account" ON "messages" USING btree ("account_id","seq");--> statement-breakpoint
CREATE INDEX "messages_of_account_by_time" ON "messages" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_dispatched" ON "messages" USING btree ("number_id","dispatched_at") WHERE dispatched_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_wa_id" ON "messages" USING btree ("number_id","wa_message_id") WHERE wa_message_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_idempotency" ON "messages" USING btree ("number_id","idempotency_key") WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX "messages_of_number" ON "messages" USING btree ("number_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "messages_of_number_by_status" ON "messages" USING btree ("number_id","status","created_at","seq");--> statement-breakpoint
CREATE INDEX "messages_of_number_by_recipient" ON "messages" USING btree ("number_id","recipient","created_at","seq");--> statement-breakpoint
CREATE INDEX "messages_reference" ON "messages" USING btree ("number_id","reference","created_at","seq") WHERE reference is not null;--> statement-breakpoint
CREATE INDEX "messages_scheduled" ON "messages" USING btree ("number_id","send_at") WHERE status = 'queued' and send_at is not null;--> statement-breakpoint
CREATE INDEX "messages_erasable" ON "messages" USING btree ("account_id","created_at") WHERE content is not null or request_hash is not null;--> statement-breakpoint
CREATE INDEX "messages_hashes" ON "messages" USING btree ("created_at") WHERE request_hash is not null;--> statement-breakpoint
CREATE INDEX "messages_files" ON "messages" USING btree ("settled_at") WHERE media_status in ('pending', 'ready');--> statement-breakpoint
CREATE INDEX "messages_hung_up" ON "messages" USING btree ("account_id","created_at") WHERE hung_up_after_ms is not null;--> statement-breakpoint
CREATE INDEX "messages_plan_ended" ON "messages" USING btree ("settled_at") WHERE status = 'cancelled' and error_code = 'plan_ended';--> statement-breakpoint
CREATE INDEX "messages_expired" ON "messages" USING btree ("settled_at") WHERE status = 'expired' and error_code = 'deadline_passed';--> statement-breakpoint
CREATE INDEX "messages_of_key" ON "messages" USING btree ("api_key_id") WHERE api_key_id is not null;--> statement-breakpoint
CREATE INDEX "messages_repeat" ON "messages" USING btree ("number_id","request_hash") WHERE answered = false;--> statement-breakpoint
CREATE INDEX "number_events_of_number" ON "number_events" USING btree ("number_id","id");--> statement-breakpoint
CREATE INDEX "numbers_of_account" ON "numbers" USING btree ("account_id") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "numbers_live_phone" ON "numbers" USING btree ("network","phone_number") WHERE removed_at is null and status in ('CONNECTED', 'RECONNECTING', 'CONFLICT', 'BLOCKED');--> statement-breakpoint
CREATE INDEX "payments_of_account" ON "payments" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_requests_open" ON "plan_requests" USING btree ("account_id") WHERE payment_id is null;--> statement-breakpoint
CREATE INDEX "recipient_checks_asked" ON "recipient_checks" USING btree ("number_id","asked_at");--> statement-breakpoint
CREATE INDEX "recipient_checks_waiting" ON "recipient_checks" USING btree ("number_id","asked_at") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "recipients_asked" ON "recipients" USING btree ("number_id","asked_at") WHERE asked_at is not null;--> statement-breakpoint
CREATE INDEX "recipients_refused" ON "recipients" USING btree ("number_id","refused_at") WHERE refused_at is not null;--> statement-breakpoint
CREATE INDEX "recipients_last" ON "recipients" USING btree ("number_id",greatest("asked_at", "known_at"));--> statement-breakpoint
CREATE INDEX "requests_of_account" ON "requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "requests_refused" ON "requests" USING btree ("account_id","id") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX "requests_by_request_id" ON "requests" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "requests_of_account_by_time" ON "requests" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "reset_links_of_user" ON "reset_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "search_blocks_of_account" ON "search_blocks" USING btree ("account_id","to_seq");--> statement-breakpoint
CREATE INDEX "search_blocks_stale" ON "search_blocks" USING btree ("account_id") WHERE grams is null;--> statement-breakpoint
CREATE INDEX "search_blocks_grams" ON "search_blocks" USING gin ("grams");--> statement-breakpoint
CREATE INDEX "sign_ins_of_user" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_ups_of_email" ON "sign_ups" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "sign_ups_expires" ON "sign_ups" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "webhook_attempts_of_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_of_event" ON "webhook_deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("endpoint_id","id") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_order" ON "webhook_deliveries" USING btree ("endpoint_id","subject","id") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_account" ON "webhook_endpoints" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_events_of_account" ON "webhook_events" USING btree ("account_id","created_at");--> statement-breakpoint
-- Rate limits may start full again after a crash of the server; until then each request saves a wait for the disk.
ALTER TABLE "rate_buckets" SET UNLOGGED;--> statement-breakpoint
-- A search reads many rows and none of their grams, so grams are stored apart from them.
ALTER TABLE "search_blocks" SET (toast_tuple_target = 128);--> statement-breakpoint
-- Without statistics the planner expects few matches and always uses the index. It does not know what reading grams costs.
ALTER TABLE "search_blocks" ALTER COLUMN "grams" SET STATISTICS 0;
--> statement-breakpoint
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
