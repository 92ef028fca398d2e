CREATE TABLE "requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"number_id" text,
	"key_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"endpoint" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"request_id" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"message_id" text,
	"reference" text,
	"body" text,
	"answer" text
);
--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requests_of_account" ON "requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "requests_refused" ON "requests" USING btree ("account_id","id") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX "requests_by_request_id" ON "requests" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "requests_of_account_by_time" ON "requests" USING btree ("account_id","at");