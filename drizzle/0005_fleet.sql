CREATE TABLE "profiles" (
	"number_id" text PRIMARY KEY NOT NULL,
	"volume_id" text,
	"host" text,
	"generation" bigint DEFAULT 0 NOT NULL,
	"snapshot" "bytea",
	"snapshot_version" integer,
	"snapshot_generation" bigint,
	"snapshot_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "volume_id" text;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "memory_bytes" bigint;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "drain_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "draining_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;