CREATE TABLE "erased_numbers" (
	"number_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "media_retention_hours" integer DEFAULT 24 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "messages_erasable" ON "messages" USING btree ("account_id","created_at") WHERE content is not null or request_hash is not null;--> statement-breakpoint
CREATE INDEX "messages_files" ON "messages" USING btree ("settled_at") WHERE media_status in ('pending', 'ready');