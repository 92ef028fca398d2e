CREATE TABLE "number_checks" (
	"number_id" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"result" jsonb
);
--> statement-breakpoint
ALTER TABLE "page_builds" ADD COLUMN "comms" text;--> statement-breakpoint
ALTER TABLE "number_checks" ADD CONSTRAINT "number_checks_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- A request wakes the number's worker.
CREATE TRIGGER number_checks_tell AFTER INSERT OR UPDATE ON number_checks
  FOR EACH ROW EXECUTE FUNCTION tell_number_link();
