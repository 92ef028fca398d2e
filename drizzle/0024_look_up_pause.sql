ALTER TABLE "number_health" ADD COLUMN "look_ups_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "number_health" ADD COLUMN "look_up_refusals" integer DEFAULT 0 NOT NULL;