CREATE TABLE "page_build_kinds" (
	"network" text NOT NULL,
	"version" text NOT NULL,
	"kind" text NOT NULL,
	"tested_at" timestamp (3) with time zone NOT NULL,
	"tested_by" text NOT NULL,
	"failed_check" text,
	"proven_at" timestamp (3) with time zone,
	"trying_number_id" text,
	"trying_until" timestamp (3) with time zone,
	CONSTRAINT "page_build_kinds_network_version_kind_pk" PRIMARY KEY("network","version","kind")
);
--> statement-breakpoint
ALTER TABLE "page_build_kinds" ADD CONSTRAINT "page_build_kinds_trying_number_id_numbers_id_fk" FOREIGN KEY ("trying_number_id") REFERENCES "public"."numbers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_build_kinds" ADD CONSTRAINT "page_build_kinds_build_fk" FOREIGN KEY ("network","version") REFERENCES "public"."page_builds"("network","version") ON DELETE cascade ON UPDATE no action;