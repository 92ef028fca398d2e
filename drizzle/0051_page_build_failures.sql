CREATE TABLE "page_build_failures" (
	"network" text NOT NULL,
	"version" text NOT NULL,
	"number_id" text NOT NULL,
	"failures" integer NOT NULL,
	"tested_by" text NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "page_build_failures_network_version_number_id_pk" PRIMARY KEY("network","version","number_id")
);
--> statement-breakpoint
ALTER TABLE "page_build_failures" ADD CONSTRAINT "page_build_failures_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_build_failures" ADD CONSTRAINT "page_build_failures_build_fk" FOREIGN KEY ("network","version") REFERENCES "public"."page_builds"("network","version") ON DELETE cascade ON UPDATE no action;