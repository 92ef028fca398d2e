import { type Fields, quotedJson, type SampleParams } from './curl-command.ts';

const SAMPLES = { curl: shell, Node: node, Python: python, PHP: php };
export type Language = keyof typeof SAMPLES;
export const LANGUAGES = ['curl', 'Node', 'Python', 'PHP'] as const satisfies Language[];

/**
 * Sample code that sends a message, prints its ID and retries with the same Idempotency-Key. It retries only
 * answers with Retry-After and lost ones, so never a 502: a person decides, because its message may have arrived.
 */
export function sample(language: Language, { base, kind, request }: SampleParams): string {
  return SAMPLES[language](`${base}/messages/${kind}`, request);
}

function fields(request: Fields, line: (name: string, value: string) => string, indent: string): string {
  return Object.entries(request)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => indent + line(name, JSON.stringify(value)))
    .join('\n');
}

function shell(url: string, request: Fields): string {
  return `key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
for try in 1 2 3 4 5; do
  answer=$(curl -sS -m 90 -w '\\nRetry-After: %header{retry-after}' \\
    ${url} \\
    -H "Authorization: Bearer $WIREBIRD_KEY" \\
    -H "Content-Type: application/json" \\
    -H "Idempotency-Key: $key" \\
    -d '${quotedJson(request, '    ')}') || answer=
  case $answer in
    {*) pause=$(printf '%s\\n' "$answer" | sed -n 's/^Retry-After: //p') ;;
    *) pause=2 ;;
  esac
  printf '%s\\n' "$answer" | head -n 1
  [ "$pause" ] || break
  sleep "$pause"
done`;
}

function node(url: string, request: Fields): string {
  return `// send.mjs
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const message = {
${fields(request, (name, value) => `${name}: ${value},`, '  ')}
};
// One key for each message: a retry with the same key and body never sends twice.
// Keep values that change between retries, such as a timestamp, out of the body.
const key = randomUUID();

async function post() {
  const res = await fetch("${url}", {
    method: "POST",
    headers: {
      "Authorization": \`Bearer \${process.env.WIREBIRD_KEY}\`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(90_000),
  });
  return { ...(await res.json()), retryAfter: res.headers.get("Retry-After") };
}

for (let tries = 1; ; tries++) {
  const { data, error, retryAfter } = await post().catch(() => ({ error: "No response", retryAfter: 2 }));
  if (data) {
    console.log(data.id, data.status);
    break;
  }
  // Retry only with Retry-After. A 502 has none: a person decides, because the message may have arrived.
  if (!retryAfter || tries === 5) throw new Error(error);
  await sleep(retryAfter * 1000);
}`;
}

function python(url: string, request: Fields): string {
  return `# send.py
import http.client, json, os, sys, time, urllib.error, urllib.request, uuid

message = {
${fields(request, (name, value) => `"${name}": ${value},`, '    ')}
}
# One key for each message: a retry with the same key and body never sends twice.
# Keep values that change between retries, such as a timestamp, out of the body.
key = str(uuid.uuid4())

def post():
    request = urllib.request.Request(
        "${url}",
        data=json.dumps(message).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['WIREBIRD_KEY']}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        },
    )
    try:
        response = urllib.request.urlopen(request, timeout=90)
    except urllib.error.HTTPError as refusal:
        response = refusal
    return json.load(response), response.headers["Retry-After"]

for tries in range(1, 6):
    try:
        answer, retry_after = post()
    except (OSError, http.client.HTTPException, ValueError):
        answer, retry_after = {"error": "No response"}, 2
    if "data" in answer:
        print(answer["data"]["id"], answer["data"]["status"])
        break
    # Retry only with Retry-After. A 502 has none: a person decides, because the message may have arrived.
    if not retry_after or tries == 5:
        sys.exit(answer["error"])
    time.sleep(int(retry_after))`;
}

function php(url: string, request: Fields): string {
  return `<?php
// send.php
$message = [
${fields(request, (name, value) => `"${name}" => ${value.replaceAll('$', '\\$')},`, '    ')}
];
// One key for each message: a retry with the same key and body never sends twice.
// Keep values that change between retries, such as a timestamp, out of the body.
$key = bin2hex(random_bytes(16));
$context = stream_context_create(["http" => [
    "method" => "POST",
    "header" => [
        "Authorization: Bearer " . getenv("WIREBIRD_KEY"),
        "Content-Type: application/json",
        "Idempotency-Key: $key",
    ],
    "content" => json_encode($message),
    "timeout" => 90,
    "ignore_errors" => true,
]]);

for ($tries = 1; ; $tries++) {
    $res = @fopen("${url}", "r", false, $context);
    $answer = $res ? json_decode(stream_get_contents($res), true) : null;
    if (isset($answer["data"])) {
        echo $answer["data"]["id"], " ", $answer["data"]["status"], "\\n";
        break;
    }
    $headers = $res ? stream_get_meta_data($res)["wrapper_data"] : [];
    preg_match('/^Retry-After: (\\d+)/mi', implode("\\n", $headers), $found);
    // Retry only with Retry-After. A 502 has none: a person decides, because the message may have arrived.
    $retryAfter = $answer ? ($found[1] ?? null) : 2;
    if (!$retryAfter || $tries === 5) {
        fwrite(STDERR, ($answer["error"] ?? "No response") . "\\n");
        exit(1);
    }
    sleep($retryAfter);
}`;
}
