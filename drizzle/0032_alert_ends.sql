ALTER TABLE "alerts" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "alerts_open" ON "alerts" USING btree ("kind") WHERE ended_at is null;--> statement-breakpoint
-- Events do not last. The ends of older suspensions, restrictions and series of refused requests were not recorded: they are
-- not reported now.
UPDATE "alerts" a SET "ended_at" = a."happened_at"
WHERE a.kind IN ('recovered', 'disk_recovered', 'plan_paid', 'plan_enabled', 'waiting_cancelled', 'requests_refused')
  OR a.kind = 'suspended' AND NOT EXISTS (
    SELECT FROM numbers n WHERE n.id = a.number_id AND n.suspended_at = a.happened_at)
  OR a.kind = 'health' AND NOT EXISTS (
    SELECT FROM number_health h WHERE h.number_id = a.number_id AND h.restricted_since = a.happened_at);
