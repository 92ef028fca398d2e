CREATE TABLE "number_health" (
	"number_id" text PRIMARY KEY NOT NULL,
	"timelock_kind" text,
	"timelock_until" timestamp (3) with time zone,
	"cap_status" text,
	"cap_total" integer,
	"cap_used" integer,
	"cap_until" timestamp (3) with time zone,
	"checkpoint" text,
	"pause_until" timestamp (3) with time zone,
	"pauses" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"restricted_since" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "recipients" (
	"number_id" text NOT NULL,
	"recipient" text NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"known_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	CONSTRAINT "recipients_number_id_recipient_pk" PRIMARY KEY("number_id","recipient")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "not_before" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "linked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "protected" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "number_health" ADD CONSTRAINT "number_health_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recipients_asked" ON "recipients" USING btree ("number_id","asked_at") WHERE asked_at is not null;--> statement-breakpoint
CREATE INDEX "recipients_refused" ON "recipients" USING btree ("number_id","refused_at") WHERE refused_at is not null;--> statement-breakpoint
UPDATE "numbers" SET "linked_at" = "first_linked_at" WHERE "first_linked_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "recipients" ("number_id", "recipient", "known_at")
SELECT "number_id", "recipient", max("created_at") FROM "messages"
WHERE "status" IN ('sent', 'delivered', 'read') AND "recipient" LIKE '%@c.us'
GROUP BY "number_id", "recipient";
