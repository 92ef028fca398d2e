-- Each stored sentence becomes the cause that it was made of. Any other text is kept and only shown.
CREATE FUNCTION cause_of(reason text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  known jsonb;
  found text[];
BEGIN
  IF reason IS NULL THEN RETURN NULL; END IF;
  SELECT v.cause::jsonb INTO known FROM (VALUES
    ('Nobody scanned the code within 5 minutes.', '{"code": "linking_expired"}'),
    ('The passkey was not confirmed in time.', '{"code": "passkey_expired"}'),
    ('Linking has ended because its code was no longer on any screen. Start it again.', '{"code": "codes_unseen"}'),
    ('A phone was linked, but its data did not arrive in time. Open WhatsApp on the phone, remove this device under Linked devices, and link it again.', '{"code": "not_loaded"}'),
    ('WhatsApp asks for the number’s passkey. Confirm it under Link in the dashboard, on a computer.', '{"code": "passkey_asked"}'),
    ('The passkey is confirmed. Continue on the phone.', '{"code": "passkey_confirmed"}'),
    ('Compare the code on the phone with the one under Link in the dashboard.', '{"code": "passkey_code"}'),
    ('WhatsApp did not accept the passkey. Try again under Link in the dashboard.', '{"code": "passkey_failed"}'),
    ('The phone number was changed.', '{"code": "phone_replaced"}'),
    ('Unlinked in the dashboard.', '{"code": "unlinked"}'),
    ('Unlinked here, but WhatsApp did not confirm it: remove this device on the phone, under Linked devices.', '{"code": "unlink_unconfirmed"}'),
    ('Removed from the account.', '{"code": "removed"}'),
    ('The account was deleted.', '{"code": "account_deleted"}'),
    ('Cancelled in the dashboard.', '{"code": "taken_back"}'),
    ('WhatsApp has locked this number. Open WhatsApp on the phone and verify the number there, then link it again.', '{"code": "locked"}'),
    ('WhatsApp has banned this number. Open WhatsApp on the phone and ask for a review there. Link it again when WhatsApp has lifted the ban, not before.', '{"code": "banned"}'),
    ('WhatsApp has blocked this number for breaking its terms of service.', '{"code": "terms_blocked"}'),
    ('WhatsApp has blocked this business account for breaking its terms of service.', '{"code": "business_terms_blocked"}'),
    ('WhatsApp refuses connections from this server’s network address.', '{"code": "address_blocked"}'),
    ('WhatsApp refuses this version of WhatsApp Web or of the browser as too old. The administrator of this server should update Wirebird; then try again.', '{"code": "outdated"}'),
    ('WhatsApp asks for a new link. Either the session stored on the server was damaged, for example by a full disk or a crash, or somebody removed the device on the phone, or WhatsApp was set up on a new phone.', '{"code": "link_gone"}'),
    ('The stored session is older than its last run, for example because a backup was restored. Link the number again. Nothing was sent from the old session.', '{"code": "session_stale"}'),
    ('WhatsApp Web was opened elsewhere with this number. Choose "Use here" to take it back. The other session then stops.', '{"code": "conflict"}'),
    ('The connection ended three times within an hour, and WhatsApp Web did not show why. It may be open elsewhere with this number. Choose "Use here" to take it back.', '{"code": "unseen_ends"}'),
    ('The connection to WhatsApp was lost.', '{"code": "connection_lost"}'),
    ('The connection to WhatsApp is interrupted. WhatsApp Web reconnects automatically.', '{"code": "connection_cut"}'),
    ('WhatsApp ended the connection. WhatsApp Web starts again to see whether the phone is still linked.', '{"code": "connection_wiped"}'),
    ('WhatsApp does not answer right now. WhatsApp Web reconnects automatically.', '{"code": "no_answer"}'),
    ('WhatsApp did not confirm the last message in time. The connection is being checked.', '{"code": "no_confirmation"}'),
    ('WhatsApp Web answers, but messages do not leave it. It is restarted. What was certainly not sent is shown as failed, the rest is checked after the restart.', '{"code": "not_sending"}'),
    ('WhatsApp’s service is unavailable right now (503). The number reconnects automatically.', '{"code": "service_unavailable"}'),
    ('WhatsApp asks for a newer version of its page. The page is loading it.', '{"code": "newer_page"}'),
    ('WhatsApp’s ban of this number has ended, so it reconnects.', '{"code": "ban_over"}'),
    ('The disk of the server is full, so this number is disconnected. It stays linked and reconnects when there is space.', '{"code": "disk_full"}'),
    ('The server cannot open this number’s session from its disk. It tries again every few seconds. If this lasts, the operator finds the cause in the worker’s log.', '{"code": "profile_unusable"}'),
    ('The server cannot reach WhatsApp Web. It tries again automatically. If this lasts, the operator checks the server’s internet connection.', '{"code": "site_unreachable"}'),
    ('WhatsApp Web did not load in time. It tries again automatically.', '{"code": "load_timeout"}'),
    ('The browser ended while WhatsApp Web was loading, for example because memory ran out. It tries again automatically.', '{"code": "browser_ended"}'),
    ('WhatsApp Web could not be started. It tries again automatically. If this lasts, the operator finds the cause in the worker’s log.', '{"code": "page_not_started"}'),
    ('The browser of the server is older than the one that stored this session, so it is not opened. The session is kept. The operator has to update Chromium on that server; the worker’s log says to which version.', '{"code": "browser_older"}'),
    ('This number is testing a new build of WhatsApp Web before the other numbers use it.', '{"code": "build_tested"}'),
    ('WhatsApp Web behaved in an unexpected way, so this number starts again to test it once more.', '{"code": "test_repeats"}'),
    ('A new build of WhatsApp Web does not work with this number. Another number tests it before it is given up.', '{"code": "test_elsewhere"}'),
    ('The plan ended more than 14 days ago, so the session was stopped. Its link is kept: it starts again when the plan is renewed.', '{"code": "plan_ended"}'),
    ('The trial session stopped after 15 minutes without use. Its link is kept: it starts again in a few seconds.', '{"code": "trial_idle"}'),
    ('The service was moved to another machine. The link to the phone does not move with it. Link the number again.', '{"code": "moved"}'),
    ('The browser on the server is missing or cannot be run, so this number is not connected. The operator has to install Chromium or correct CHROMIUM_PATH, and restart Wirebird.', '{"code": "browser_failed", "failure": "missing"}'),
    ('The server allows too few open files for a browser, so this number is not connected. The operator has to raise the limit (ulimit -n, LimitNOFILE) and restart Wirebird.', '{"code": "browser_failed", "failure": "openFiles"}'),
    ('The server has no memory or process left for a browser, so this number is not connected. The operator has to add memory, or raise the limit of processes.', '{"code": "browser_failed", "failure": "processes"}'),
    ('The browser on the server does not start, so this number is not connected. “cli doctor” shows the operator why.', '{"code": "browser_failed", "failure": "unknown"}'),
    ('A different phone number was linked, so it was logged out again. Link the phone number from before, even on a new phone, or choose “Change phone number” first.', '{"code": "phone_refused", "why": "other", "stillListed": false}'),
    ('A different phone number was linked, so it was logged out again. Link the phone number from before, even on a new phone, or choose “Change phone number” first. WhatsApp did not confirm the logout: remove this device on that phone, under Linked devices.', '{"code": "phone_refused", "why": "other", "stillListed": true}'),
    ('A different phone number was linked than the one you entered, so it was logged out again. Link the phone number you entered.', '{"code": "phone_refused", "why": "not_the_replacement", "stillListed": false}'),
    ('A different phone number was linked than the one you entered, so it was logged out again. Link the phone number you entered. WhatsApp did not confirm the logout: remove this device on that phone, under Linked devices.', '{"code": "phone_refused", "why": "not_the_replacement", "stillListed": true}'),
    ('This phone is already linked to another number on this server, so it was logged out again.', '{"code": "phone_refused", "why": "in_use", "stillListed": false}'),
    ('This phone is already linked to another number on this server, so it was logged out again. WhatsApp did not confirm the logout: remove this device on that phone, under Linked devices.', '{"code": "phone_refused", "why": "in_use", "stillListed": true}'),
    ('WhatsApp gives this phone number no pairing code for now because too many were requested. Scan the QR code instead, or try again tomorrow.', '{"code": "no_pairing_code", "why": "too_many"}'),
    ('WhatsApp does not accept this phone number for a pairing code. Check it: country code first, no leading zeros. Or scan the QR code.', '{"code": "no_pairing_code", "why": "bad_number"}'),
    ('WhatsApp gave no pairing code. Try again, or scan the QR code.', '{"code": "no_pairing_code", "why": "page"}'),
    ('WhatsApp refuses connections from this server''s network address.', '{"code": "address_blocked"}'),
    ('WhatsApp disconnected Wirebird from your phone and did not say why. Possible reasons: the phone was lost, reset or replaced; somebody removed Wirebird there under Linked devices; the phone was not used for about 14 days; or WhatsApp removed it.', '{"code": "logged_out", "reason": null}'),
    ('Somebody logged this device out in its WhatsApp Web page.', '{"code": "logged_out", "reason": "user_initiated"}'),
    ('WhatsApp was set up again on the phone, for example on a new phone or after a reinstallation. That ends all links.', '{"code": "logged_out", "reason": "primary_identity_key_change"}'),
    ('WhatsApp has locked this account. Open WhatsApp on the phone and verify the number first.', '{"code": "logged_out", "reason": "account_locked"}'),
    ('The link has expired. Open WhatsApp on the phone from time to time, at least every 14 days.', '{"code": "logged_out", "reason": "invalid_adv_status"}'),
    ('The phone sent no chats within 3 minutes of linking. Keep WhatsApp open on the phone until the number is connected.', '{"code": "logged_out", "reason": "history_sync_timeout"}'),
    ('The phone did not send its settings in time. Open WhatsApp on the phone and keep it open until the number is connected.', '{"code": "logged_out", "reason": "syncd_timeout"}'),
    ('WhatsApp Web could not load the settings of the account and ended the link.', '{"code": "logged_out", "reason": "syncd_failure"}'),
    ('Linking failed inside WhatsApp Web.', '{"code": "logged_out", "reason": "unknown_companion"}'),
    ('The disk space for the session on this server was used up. The administrator of this server should make room.', '{"code": "logged_out", "reason": "storage_quota_exceeded"}'),
    ('The session stored on this server is damaged or incomplete, for example after a full disk, a crash or a partial copy.', '{"code": "logged_out", "reason": "cache_storage_open_failed"}'),
    ('WhatsApp Web found that its data about the account are inconsistent.', '{"code": "logged_out", "reason": "client_version_outdated"}'),
    ('WhatsApp moves accounts from phone numbers to hidden ids, and that failed for this link.', '{"code": "logged_out", "reason": "lid_migration_split_thread_mismatch"}'),
    ('WhatsApp ended the link because the account left linked devices.', '{"code": "logged_out", "reason": "md_opt_out"}')) AS v (sentence, cause) WHERE v.sentence = reason;
  IF known IS NOT NULL THEN RETURN known; END IF;
  found := regexp_match(reason, '^WhatsApp Web has changed \(build ([^)]+)\): (.*)\. Sending is off until Wirebird is updated\.$');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'build_changed', 'build', found[1], 'what', found[2]); END IF;
  found := regexp_match(reason, '^WhatsApp Web has changed \(build ([^)]+)\): (.*)\. Sending continues with build (\S+), which works\.$');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'build_replaced', 'build', found[1], 'what', found[2], 'good', found[3]); END IF;
  found := regexp_match(reason, '^Its session is stored on the server (.*), which does not respond\. It comes back when');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'stranded', 'host', found[1]); END IF;
  found := regexp_match(reason, '^You changed the phone number to \+(\d+)\.');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'phone_changes', 'phone', found[1]); END IF;
  found := regexp_match(reason, '^The phone number stays \+(\d+)\.$');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'phone_kept', 'phone', found[1]); END IF;
  found := regexp_match(reason, '^Build (\S+) of WhatsApp Web does not work with this version of Wirebird, so this number continues with build (\S+)\.$');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'build_left', 'build', found[1], 'good', found[2], 'failed', true); END IF;
  found := regexp_match(reason, '^Another number tries build (\S+) of WhatsApp Web first, so this number continues with build (\S+)\.$');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'build_left', 'build', found[1], 'good', found[2], 'failed', false); END IF;
  found := regexp_match(reason, '^WhatsApp no longer accepts build (\S+) of its page');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'build_not_accepted', 'build', found[1]); END IF;
  found := regexp_match(reason, '^WhatsApp.s server refuses the connection right now \(([^)]*)\)\.');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'login_refused', 'status', found[1]); END IF;
  found := regexp_match(reason, '^WhatsApp disconnected Wirebird from your phone \(([^)]*)\)\.$');
  IF found IS NOT NULL THEN RETURN jsonb_build_object('code', 'logged_out', 'reason', found[1]); END IF;
  RETURN jsonb_build_object('code', 'legacy', 'text', reason);
END $$;
--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "cause" jsonb;--> statement-breakpoint
ALTER TABLE "number_events" ADD COLUMN "cause" jsonb;--> statement-breakpoint
UPDATE numbers SET cause = cause_of(status_reason) WHERE status_reason IS NOT NULL;--> statement-breakpoint
UPDATE number_events SET cause = cause_of(reason) WHERE reason IS NOT NULL;--> statement-breakpoint
UPDATE alerts SET detail = cause_of(detail)::text
  WHERE detail IS NOT NULL AND kind IN ('logged_out', 'blocked', 'conflict', 'disconnected', 'build_changed');--> statement-breakpoint
DROP FUNCTION cause_of(text);--> statement-breakpoint
CREATE OR REPLACE FUNCTION record_number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT wants_webhook_event(NEW.account_id, NEW.id, 'number.status') THEN RETURN NULL; END IF;
  PERFORM record_webhook_event(NEW.account_id, NEW.id, NEW.id, 'number.status', json_build_object(
    'id', NEW.id, 'sequence', NEW.event_sequence, 'status', NEW.status, 'previousStatus', OLD.status,
    'cause', NEW.cause, 'number', NEW.phone_number, 'numberId', NEW.id));
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER TABLE "numbers" DROP COLUMN "status_reason";--> statement-breakpoint
ALTER TABLE "number_events" DROP COLUMN "reason";
