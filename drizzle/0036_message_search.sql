CREATE TABLE "search_blocks" (
	"account_id" text NOT NULL,
	"number_id" text NOT NULL,
	"from_seq" bigint NOT NULL,
	"to_seq" bigint NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"grams" integer[],
	CONSTRAINT "search_blocks_pk" PRIMARY KEY("number_id","to_seq")
);
--> statement-breakpoint
ALTER TABLE "search_blocks" ADD CONSTRAINT "search_blocks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_blocks" ADD CONSTRAINT "search_blocks_number_id_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "search_blocks_of_account" ON "search_blocks" USING btree ("account_id","to_seq");--> statement-breakpoint
CREATE INDEX "search_blocks_stale" ON "search_blocks" USING btree ("account_id") WHERE grams is null;--> statement-breakpoint
CREATE INDEX "search_blocks_grams" ON "search_blocks" USING gin ("grams");--> statement-breakpoint
-- A search reads many rows and none of their grams, so grams are stored apart from them.
ALTER TABLE "search_blocks" SET (toast_tuple_target = 128);
--> statement-breakpoint
-- Without statistics the planner expects few matches and always uses the index. It does not know what reading grams costs.
ALTER TABLE "search_blocks" ALTER COLUMN "grams" SET STATISTICS 0;
--> statement-breakpoint
-- Nothing of an erased text stays. The lock waits while blocks are made (`server/operations/queries/search-blocks.ts`), so
-- that none is made from a text that is being erased.
CREATE FUNCTION forget_search_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7270036);
  UPDATE search_blocks SET grams = NULL
    WHERE number_id = OLD.number_id AND from_seq <= OLD.seq AND grams IS NOT NULL
      AND to_seq = (SELECT min(to_seq) FROM search_blocks WHERE number_id = OLD.number_id AND to_seq >= OLD.seq);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_forget AFTER UPDATE OF content, recipient, reference ON messages
  FOR EACH ROW WHEN (OLD.content IS DISTINCT FROM NEW.content OR OLD.recipient <> NEW.recipient
    OR OLD.reference IS DISTINCT FROM NEW.reference)
  EXECUTE FUNCTION forget_search_block();
--> statement-breakpoint
CREATE TRIGGER messages_forget_deleted AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION forget_search_block();
