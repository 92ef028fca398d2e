ALTER TABLE "webhook_endpoints" ADD COLUMN "older_secrets" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "unsigned_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "test_sequence" integer DEFAULT 0 NOT NULL;