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
ALTER TABLE "reset_links" ADD COLUMN "mailed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "sign_ups_of_email" ON "sign_ups" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "sign_ups_expires" ON "sign_ups" USING btree ("expires_at");--> statement-breakpoint
-- Who was there before addresses were confirmed goes on as if theirs was.
UPDATE "users" SET "email_confirmed_at" = clock_timestamp();
