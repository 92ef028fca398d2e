DROP INDEX "messages_of_account";--> statement-breakpoint
CREATE INDEX "messages_of_account_by_time" ON "messages" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_of_account" ON "messages" USING btree ("account_id","seq");