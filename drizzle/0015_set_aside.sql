ALTER TABLE "messages" ADD COLUMN "set_aside" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What waits for its owner's decision since before this version keeps waiting for it.
UPDATE "messages" m SET "set_aside" = true FROM "numbers" n
WHERE n."id" = m."number_id" AND n."held_to_decide" AND m."status" = 'queued' AND m."lane" = 'async';