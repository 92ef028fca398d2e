CREATE TABLE "message_count_deltas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_count_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"number_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"type" text NOT NULL,
	"outcome" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_counts" (
	"account_id" text NOT NULL,
	"unit" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"number_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"type" text NOT NULL,
	"outcome" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "message_counts_pk" PRIMARY KEY("account_id","unit","at","number_id","api_key_id","type","outcome")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "counts_time_zone" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "counted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "messages_held_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "message_counts" ADD CONSTRAINT "message_counts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memberships_of_account" ON "memberships" USING btree ("account_id");--> statement-breakpoint
-- Counts follow each message in the transaction that changes it. Inserting here waits for nobody, and the hours and
-- days are found later, outside of that transaction. Deleted messages stay counted.
CREATE FUNCTION count_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was text := coalesce(OLD.status, 'queued');
  becomes text := NEW.status;
  was_delivered boolean := was IN ('delivered', 'read');
  is_delivered boolean := becomes IN ('delivered', 'read');
BEGIN
  IF was_delivered OR was = 'sent' THEN was := 'sent'; END IF;
  IF is_delivered OR becomes = 'sent' THEN becomes := 'sent'; END IF;
  IF was <> becomes AND was NOT IN ('queued', 'sending') THEN
    INSERT INTO message_count_deltas (account_id, number_id, api_key_id, type, outcome, created_at, amount)
      VALUES (OLD.account_id, OLD.number_id, coalesce(OLD.api_key_id, ''), OLD.type, was, OLD.created_at, -1);
  END IF;
  IF was <> becomes THEN
    INSERT INTO message_count_deltas (account_id, number_id, api_key_id, type, outcome, created_at, amount)
      VALUES (NEW.account_id, NEW.number_id, coalesce(NEW.api_key_id, ''), NEW.type, becomes, NEW.created_at, 1);
  END IF;
  IF is_delivered AND NOT was_delivered THEN
    INSERT INTO message_count_deltas (account_id, number_id, api_key_id, type, outcome, created_at, amount)
      VALUES (NEW.account_id, NEW.number_id, coalesce(NEW.api_key_id, ''), NEW.type, 'delivered', NEW.created_at, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The conditions cost nothing, and leave out the changes that no count shows.
CREATE TRIGGER messages_count AFTER UPDATE OF status ON messages
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status NOT IN ('queued', 'sending') AND OLD.status <> 'delivered')
  EXECUTE FUNCTION count_message();
--> statement-breakpoint
CREATE TRIGGER messages_count_new AFTER INSERT ON messages
  FOR EACH ROW WHEN (NEW.status NOT IN ('queued', 'sending')) EXECUTE FUNCTION count_message();
