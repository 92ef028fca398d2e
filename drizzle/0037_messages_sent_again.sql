ALTER TABLE "messages" ADD COLUMN "repeats" text;--> statement-breakpoint
CREATE INDEX "messages_sent_again" ON "messages" USING btree ("repeats") WHERE repeats is not null;