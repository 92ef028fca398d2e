import { z } from 'zod';

/**
 * The part of the Compose specification that `deploy/compose.yaml` uses, for the test of that file. A key that is
 * misspelt, in the wrong place or of the wrong type is refused.
 */

/** `30s`, `1m30s`. */
const Duration = z.string().regex(/^(\d+(us|ms|s|m|h))+$/);
const Name = z.string().regex(/^[a-zA-Z0-9._-]+$/);
const OnOff = z.enum(['no', 'always', 'on-failure', 'unless-stopped']);

const Healthcheck = z.strictObject({
  test: z.tuple([z.enum(['CMD', 'CMD-SHELL'])], z.string()),
  interval: Duration,
  timeout: Duration,
  start_period: Duration.optional(),
  retries: z.int(),
});

const Service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  pull_policy: z.enum(['always', 'never', 'missing', 'build']).optional(),
  command: z.array(z.string()).optional(),
  restart: OnOff,
  depends_on: z
    .union([
      z.array(Name),
      z.record(
        Name,
        z.strictObject({
          condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
        }),
      ),
    ])
    .optional(),
  environment: z.record(z.string().regex(/^\w+$/), z.string()).optional(),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).optional(),
  /** A volume or a file of the checkout, its mount point, and `:ro` if it is read-only. */
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(:ro)?$/)).optional(),
  healthcheck: Healthcheck.optional(),
  stop_grace_period: Duration.optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string().regex(/^\//)).optional(),
  security_opt: z.array(z.string()).optional(),
  logging: z
    .strictObject({ driver: z.string().optional(), options: z.record(z.string(), z.string()) })
    .optional(),
});

export const Compose = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(Name, Service),
  volumes: z.record(Name, z.null()),
});
