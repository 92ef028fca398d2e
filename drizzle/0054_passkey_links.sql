ALTER TABLE "number_links" ADD COLUMN "passkey" text;--> statement-breakpoint
ALTER TABLE "number_links" ADD COLUMN "passkey_reply" text;--> statement-breakpoint
ALTER TABLE "number_links" ADD COLUMN "passkey_replied_at" timestamp (3) with time zone;