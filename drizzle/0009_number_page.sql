CREATE TABLE "number_groups" (
	"number_id" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"groups" jsonb,
	"error" text
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "risk_accepted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "held_to_decide" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "replacement_phone" text;--> statement-breakpoint
ALTER TABLE "number_groups" ADD CONSTRAINT "number_groups_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- A question for a number's groups wakes its worker, the answer the page that shows them.
CREATE TRIGGER number_groups_tell AFTER INSERT OR UPDATE ON number_groups
  FOR EACH ROW EXECUTE FUNCTION tell_number_link();
