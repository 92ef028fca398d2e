CREATE TABLE "alert_mails" (
	"alert_id" text NOT NULL,
	"user_id" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "alert_mails_alert_id_user_id_pk" PRIMARY KEY("alert_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"event_key" text NOT NULL,
	"account_id" text NOT NULL,
	"number_id" text,
	"kind" text NOT NULL,
	"incident" bigint,
	"detail" text,
	"happened_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "alerts_event_key_unique" UNIQUE("event_key")
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "alerts_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alert_mails" ADD CONSTRAINT "alert_mails_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_mails" ADD CONSTRAINT "alert_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_mails_due" ON "alert_mails" USING btree ("next_try_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "alerts_of_account" ON "alerts" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "alerts_of_number" ON "alerts" USING btree ("number_id","incident");--> statement-breakpoint
CREATE INDEX "messages_dispatched" ON "messages" USING btree ("number_id","dispatched_at") WHERE dispatched_at is not null;