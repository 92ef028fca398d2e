-- Once for each statement that deletes messages, instead of once for each message: most share their blocks.
CREATE FUNCTION forget_deleted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  block record;
BEGIN
  IF NOT EXISTS (SELECT FROM deleted) THEN RETURN NULL; END IF;
  -- The lock before the look-up, so that it sees the blocks that were just made.
  PERFORM pg_advisory_xact_lock_shared(7270036);
  FOR block IN
    SELECT number_id, to_seq, max(seq) AS seq FROM (
      SELECT d.number_id, d.seq, (SELECT min(to_seq) FROM search_blocks WHERE number_id = d.number_id AND to_seq >= d.seq) AS to_seq
      FROM deleted d) m
    GROUP BY number_id, to_seq ORDER BY number_id, to_seq
  LOOP
    UPDATE search_blocks SET grams = NULL
      WHERE number_id = block.number_id AND to_seq = block.to_seq AND from_seq <= block.seq AND grams IS NOT NULL;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER messages_forget_deleted ON messages;
--> statement-breakpoint
CREATE TRIGGER messages_forget_deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION forget_deleted_messages();
