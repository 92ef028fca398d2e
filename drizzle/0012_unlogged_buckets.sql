-- Rate limits may start full again after a crash of the server; until then each request saves a wait for the disk.
ALTER TABLE "rate_buckets" SET UNLOGGED;
