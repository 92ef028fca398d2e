ALTER TABLE "accounts" ADD COLUMN "saved_views" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "dismissed_at" timestamp (3) with time zone;