ALTER TABLE "alert_mails" ADD COLUMN "digest" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mail_times" jsonb DEFAULT '{}'::jsonb NOT NULL;