CREATE TABLE "number_builds" (
	"number_id" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"kept" boolean NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "page_builds" (
	"network" text NOT NULL,
	"version" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"verdict" text,
	"failed_check" text,
	"tested_at" timestamp (3) with time zone,
	"tested_by" text,
	"proven_at" timestamp (3) with time zone,
	"unserved_at" timestamp (3) with time zone,
	"trying_number_id" text,
	"trying_until" timestamp (3) with time zone,
	"document" "bytea",
	CONSTRAINT "page_builds_network_version_pk" PRIMARY KEY("network","version")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "page_build" text;--> statement-breakpoint
ALTER TABLE "number_builds" ADD CONSTRAINT "number_builds_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_builds" ADD CONSTRAINT "page_builds_trying_number_id_numbers_id_fk" FOREIGN KEY ("trying_number_id") REFERENCES "public"."numbers"("id") ON DELETE set null ON UPDATE no action;