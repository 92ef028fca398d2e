import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import readline from 'node:readline';

export interface RefusingMailServer {
  url: string;
  /** The texts of its refusals. */
  said: string[];
  close(): void;
}

/** A mail server that refuses every mail and quotes it: for a new address the mail's text, later the address. */
export async function refuseMails(): Promise<RefusingMailServer> {
  const said: string[] = [];
  const seen = new Set<string>();
  let reading: string[] | null = null;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    const refuse = (words: string) => {
      said.push(words);
      say(`550 5.1.1 ${words}`);
    };
    say('220 mail.test');
    readline.createInterface({ input: socket }).on('line', (line) => {
      const recipient = /^RCPT TO:<(.*?)>/i.exec(line)?.[1];
      if (reading && line === '.') {
        refuse(`Spam, and not from you: ${reading.join(' ')}`.slice(0, 900));
        reading = null;
      } else if (reading) reading.push(line);
      else if (recipient !== undefined && seen.has(recipient))
        refuse(`<${recipient}>: ${recipient} is nobody here`);
      else if (/^DATA/i.test(line)) {
        reading = [];
        say('354 go on');
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else {
        if (recipient !== undefined) seen.add(recipient);
        say('250 ok');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, said, close: () => void server.close() };
}
