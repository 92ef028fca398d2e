ALTER TABLE "look_ups" ADD COLUMN "address" text;--> statement-breakpoint
CREATE INDEX "look_ups_address" ON "look_ups" USING btree ("number_id","address") WHERE address is not null;