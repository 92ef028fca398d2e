import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const MEDIA_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Uploaded files, each under its SHA-256. They are limited to 256 MiB in total: the oldest are deleted first,
 * and their inbox entries keep hash and size.
 */
export class MediaFiles {
  readonly #directory: string;
  readonly #bytesMax: number;
  /** Size by hash, oldest first. */
  readonly #files = new Map<string, number>();
  #bytes = 0;

  constructor(directory: string, bytesMax: number = MEDIA_BYTES_MAX) {
    this.#directory = directory;
    this.#bytesMax = bytesMax;
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const found = fs.readdirSync(directory).flatMap((name) => {
      if (/^[0-9a-f]{64}$/.test(name)) return [{ name, ...stat(path.join(directory, name)) }];
      fs.rmSync(path.join(directory, name), { force: true }); // half written when a crash occurred
      return [];
    });
    for (const { name, size } of found.sort((a, b) => a.modifiedAt - b.modifiedAt)) this.#add(name, size);
  }

  /** Stores the bytes and returns their hash and size. */
  put(bytes: Buffer): { sha256: string; bytes: number } {
    const sha256 = crypto.createHash('sha256').update(bytes).digest('hex');
    if (!this.#files.has(sha256)) {
      const partial = this.#path(`${sha256}.new`);
      fs.writeFileSync(partial, bytes, { mode: 0o600 });
      fs.renameSync(partial, this.#path(sha256));
      this.#add(sha256, bytes.length);
      this.#dropOldest();
    }
    return { sha256, bytes: bytes.length };
  }

  /** Size of a file by hash; undefined if it was never uploaded or was deleted for space. */
  size(sha256: string): number | undefined {
    return this.#files.get(sha256);
  }

  read(sha256: string): Buffer | null {
    return this.#files.has(sha256) ? fs.readFileSync(this.#path(sha256)) : null;
  }

  #path(name: string): string {
    return path.join(this.#directory, name);
  }

  #add(sha256: string, size: number): void {
    this.#files.set(sha256, size);
    this.#bytes += size;
  }

  #dropOldest(): void {
    for (const [sha256, size] of this.#files) {
      if (this.#bytes <= this.#bytesMax || this.#files.size === 1) return;
      fs.rmSync(this.#path(sha256), { force: true });
      this.#files.delete(sha256);
      this.#bytes -= size;
    }
  }
}

function stat(file: string): { size: number; modifiedAt: number } {
  const { size, mtimeMs } = fs.statSync(file);
  return { size, modifiedAt: mtimeMs };
}
