/**
 * Servers that receive events, with only each language's standard library. `receiver-samples.test.ts` runs them as
 * shown.
 */
export const RECEIVERS = {
  Node: `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const secret = Buffer.from(process.env.WIREBIRD_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const last = new Map(); // The last sequence of each message: keep it in your database.

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - time) < 300)) return false;
  const hmac = createHmac('sha256', secret).update(id + '.' + time + '.' + body).digest('base64');
  const expected = Buffer.from('v1,' + hmac);
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const body = await text(request).catch(() => ''); // The connection broke.
  if (!isSigned(request.headers, body)) return response.writeHead(400).end();
  const { type, data } = JSON.parse(body);
  if (data.sequence > (last.get(data.id) ?? 0)) {
    last.set(data.id, data.sequence);
    console.log(type, data.id);
  }
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 3000);
`,
  Python: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = base64.b64decode(os.environ["WIREBIRD_WEBHOOK_SECRET"].removeprefix("whsec_"))
last = {}  # The last sequence of each message: keep it in your database.


def is_signed(headers, body):
    sent = headers.get("webhook-timestamp", "0")
    if not sent.isdecimal() or abs(time.time() - int(sent)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{sent}.".encode() + body
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, given) for given in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.headers, body):
            return self.answer(400)
        event = json.loads(body)
        data = event["data"]
        if data["sequence"] > last.get(data["id"], 0):
            last[data["id"]] = data["sequence"]
            print(event["type"], data["id"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
`,
  PHP: `<?php
// php -S 0.0.0.0:3000 webhook.php
function isSigned(string $body): bool {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
    if (!ctype_digit($time) || abs(time() - (int) $time) > 300) return false;
    $secret = base64_decode(substr(getenv('WIREBIRD_WEBHOOK_SECRET'), strlen('whsec_')));
    $hmac = hash_hmac('sha256', "$id.$time.$body", $secret, true);
    $expected = 'v1,' . base64_encode($hmac);
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given)
        if (hash_equals($expected, $given)) return true;
    return false;
}

$body = file_get_contents('php://input');
if (!isSigned($body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
$data = $event['data'];
// The last sequence of each message: keep it in your database.
$last = sys_get_temp_dir() . '/wirebird-' . hash('sha256', $data['id']);
if ($data['sequence'] > (is_file($last) ? (int) file_get_contents($last) : 0)) {
    file_put_contents($last, $data['sequence'], LOCK_EX);
    error_log($event['type'] . ' ' . $data['id']);
}
http_response_code(204);
`,
} as const;

export type ReceiverLanguage = keyof typeof RECEIVERS;
