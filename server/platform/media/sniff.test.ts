import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { MEDIA_RULES, type MediaKind } from '#server/core/message.ts';
import {
  aac,
  amr,
  exe,
  flac,
  gif,
  id3,
  jpeg,
  mp3,
  mp4,
  OPUS_HEAD,
  ogg,
  pdf,
  png,
  VORBIS_HEAD,
  wav,
  webp,
} from '#server/testing/media/samples.ts';
import { sniffMedia } from './sniff.ts';

const SOUND = [['soun', 'mp4a']] as const;

const IMAGES: Record<string, [Buffer, mimeType: string, extension: string]> = {
  JPEG: [jpeg(), 'image/jpeg', 'jpg'],
  'JPEG after a large profile': [
    jpeg(4, 3, Buffer.from(`\xff\xe2\xff\xff${'\0'.repeat(65_533)}`, 'latin1')),
    'image/jpeg',
    'jpg',
  ],
  'JPEG with padding between its parts': [
    jpeg(4, 3, Buffer.from('\0\0\xff\xff\xff', 'latin1')),
    'image/jpeg',
    'jpg',
  ],
  PNG: [png(), 'image/png', 'png'],
  'animated PNG': [
    Buffer.concat([
      png().subarray(0, 33),
      Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1'),
      png().subarray(33),
    ]),
    'image/png',
    'png',
  ],
  WebP: [webp('VP8 '), 'image/webp', 'webp'],
  'lossless WebP': [webp('VP8L'), 'image/webp', 'webp'],
  'animated WebP': [webp('VP8X'), 'image/webp', 'webp'],
  'animated GIF': [gif(), 'image/gif', 'gif'],
};

const AUDIO: Record<string, [Buffer, mimeType: string, extension: string]> = {
  MP3: [mp3(), 'audio/mpeg', 'mp3'],
  'MP3 of one frame': [mp3(1), 'audio/mpeg', 'mp3'],
  'MP3 after a tag': [Buffer.concat([id3(3000), mp3()]), 'audio/mpeg', 'mp3'],
  'MP3 before an old tag': [
    Buffer.concat([mp3(1), Buffer.from('TAG'.padEnd(128, '\0'))]),
    'audio/mpeg',
    'mp3',
  ],
  'MP3 after padding': [Buffer.concat([id3(10), Buffer.alloc(2000), mp3()]), 'audio/mpeg', 'mp3'],
  AAC: [aac(), 'audio/aac', 'aac'],
  'AAC after a tag': [Buffer.concat([id3(), aac(1)]), 'audio/aac', 'aac'],
  M4A: [mp4('M4A ', SOUND), 'audio/mp4', 'm4a'],
  'M4A with chapter names': [mp4('M4A ', [...SOUND, ['text', 'text']]), 'audio/mp4', 'm4a'],
  'M4A without loss': [mp4('M4A ', [['soun', 'alac']]), 'audio/mp4', 'm4a'],
  'sound alone under a brand for video': [mp4('isom', SOUND), 'audio/mp4', 'm4a'],
  'OGG with Opus': [ogg(OPUS_HEAD), 'audio/ogg; codecs=opus', 'ogg'],
  AMR: [amr(), 'audio/amr', 'amr'],
  'wide-band AMR': [amr('#!AMR-WB\n', 59), 'audio/amr', 'amr'],
};

/** Files that are neither images nor audio, even if they begin like one. */
const OTHERS: Record<string, Buffer> = {
  PDF: pdf(),
  program: exe(),
  'web page': Buffer.from('<!doctype html><img src="a.jpg">'),
  vector: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  'Windows bitmap': Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]),
  TIFF: Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1'),
  AVIF: mp4('avif', []),
  HEIC: mp4('heic', []),
  'film in MP4': mp4('isom', [['vide', 'avc1'], ...SOUND]),
  'film under a brand for sound': mp4('M4A ', [...SOUND, ['vide', 'avc1']]),
  'film in WebM': Buffer.from('\x1a\x45\xdf\xa3\x87\x42\x82\x84webm', 'latin1'),
  'MP4 without a track': mp4('M4A ', []),
  'speech in 3GP': mp4('3gp4', [['soun', 'samr']]),
  'OGG with Theora': ogg('\x80theora'),
  'OGG with Theora after Vorbis': ogg(VORBIS_HEAD, '\x80theora'),
  'OGG with Theora after Opus': ogg(OPUS_HEAD, '\x80theora'),
  'OGG with Speex': ogg('Speex  '),
  'OGG with nothing after the header': ogg(OPUS_HEAD).subarray(0, 58),
  'MPEG layer II': Buffer.concat(
    Array(3).fill(Buffer.concat([Buffer.from([0xff, 0xfd, 0x90, 0]), Buffer.alloc(413)])),
  ),
  'first bytes of an MP3 alone': mp3().subarray(0, 10),
  'tag without a frame': id3(3000),
  'tag that announces more than there is': id3(3000).subarray(0, 10),
  'tag before a program': Buffer.concat([id3(), exe()]),
  'tag before a picture': Buffer.concat([id3(), png()]),
  'byte order mark before a picture': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), png()]),
  'AAC cut off': aac().subarray(0, 20),
  'AMR signature alone': Buffer.from('#!AMR\n'),
  'AMR cut off': amr().subarray(0, 20),
  'AMR with several channels': Buffer.from('#!AMR_MC1.0\n\0\0\0\x02'),
  'WAV of the wrong endianness': Buffer.from(wav().toString('latin1').replace('RIFF', 'RIFX'), 'latin1'),
  'JPEG signature alone': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  'JPEG without a frame header': Buffer.from('\xff\xd8\xff\xda\0\x08\x01\x01\0\0\x3f\0\xff\xd9', 'latin1'),
  'PNG cut off in its header': png().subarray(0, 24),
  'GIF without a frame': gif().subarray(0, 13),
  'GIF of ten bytes': gif().subarray(0, 10),
  'WebP cut off': webp().subarray(0, 20),
  'a single byte': Buffer.from('x'),
  zeros: Buffer.alloc(5000),
};

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

async function refusal(kind: MediaKind, bytes: Buffer): Promise<string> {
  const outcome: unknown = await sniffMedia(kind, bytes).catch((error: unknown) => error);
  if (outcome instanceof AppError && outcome.code === 'media_unusable') return outcome.message;
  throw new Error(`not refused: ${JSON.stringify(outcome)}`, { cause: outcome });
}

describe('an image', () => {
  test.each(Object.entries(IMAGES))('may be a %s', async (_name, [bytes, mimeType, extension]) => {
    expect(await sniffMedia('image', bytes)).toEqual({ mimeType, extension });
  });

  test.each(Object.entries({ ...OTHERS, MP3: mp3(), OGG: ogg(OPUS_HEAD) }))(
    'is not: %s',
    async (_name, bytes) => {
      expect(await refusal('image', bytes)).toMatch(
        /^The (file at url is not a supported image. Use|image at url is damaged or incomplete. Its size)/,
      );
    },
  );

  const sized = {
    PNG: (width: number, height: number) => png(width, height),
    JPEG: (width: number, height: number) => jpeg(width, height),
    GIF: (width: number, height: number) => gif(width, height),
    'GIF whose frame is larger than its screen': (width: number, height: number) =>
      gif(1, 1, { left: 0, top: 0, width, height }),
    'GIF whose frame lies outside of its screen': (width: number, height: number) =>
      gif(1, 1, { left: width - 1, top: height - 1, width: 1, height: 1 }),
    WebP: (width: number, height: number) => webp('VP8 ', width, height),
    'lossless WebP': (width: number, height: number) => webp('VP8L', width, height),
    'animated WebP': (width: number, height: number) => webp('VP8X', width, height),
  };

  test.each(Object.entries(sized))('has at most 50 megapixels: %s', async (_name, make) => {
    await expect(sniffMedia('image', make(10_000, 5000))).resolves.toBeDefined();
    expect(await refusal('image', make(10_000, 5001))).toBe(
      'The image at url has 10000 x 5001 pixels; at most 50 megapixels are sent. Nothing was sent.',
    );
  });

  test.each([png(0, 3), png(3, 0), jpeg(3, 0), gif(0, 0)])('has a size (%#)', async (bytes) => {
    expect(await refusal('image', bytes)).toBe(
      'The image at url is damaged or incomplete. Its size cannot be read. Nothing was sent.',
    );
  });

  test('of the largest size a header can hold does not overflow into a small one', async () => {
    expect(await refusal('image', png(0xffff_ffff, 0xffff_ffff))).toMatch(/at most 50 megapixels/);
  });
});

describe('an image that is not whole', () => {
  const damaged =
    'The image at url is damaged or incomplete. Check that the file was written to its end. Nothing was sent.';
  const photos = ['photo.jpg', 'card.png'];
  const photo = (name: string) =>
    readFile(new URL(`../../../worker/sandbox/samples/${name}`, import.meta.url));

  test.each(photos)('is refused, wherever %s is cut off or continues as zeros', async (name) => {
    const whole = await photo(name);
    for (const part of [0.3, 0.5, 0.7, 0.9, 0.999]) {
      const length = Math.floor(whole.length * part);
      expect(await refusal('image', whole.subarray(0, length))).toBe(damaged);
      expect(await refusal('image', Buffer.from(whole).fill(0, length))).toBe(damaged);
    }
    await expect(sniffMedia('image', Buffer.concat([whole, Buffer.alloc(5000)]))).resolves.toBeDefined();
  });

  const ends: Record<string, Buffer> = {
    'a JPEG without its last marker': jpeg().subarray(0, -2),
    'a JPEG with a marker among its pixels': Buffer.concat([
      jpeg().subarray(0, -2),
      Buffer.from([0xff, 0x5a, 0xff, 0xd9]),
    ]),
    'a PNG without IEND': png().subarray(0, -12),
    'a PNG without pixels': Buffer.concat([png().subarray(0, 33), png().subarray(-12)]),
    'a PNG whose pixels do not match their checksum': Buffer.from(png()).fill(1, 45, 46),
    'a GIF within its first frame': gif().subarray(0, -3),
    'a WebP shorter than it says': webp().subarray(0, -1),
    'an animated WebP without a frame': Buffer.from(
      webp('VP8X').toString('latin1').replace('ANMF', 'XXXX'),
      'latin1',
    ),
  };
  test.each(Object.entries(ends))('is refused: %s', async (_name, bytes) => {
    expect(await refusal('image', bytes)).toBe(damaged);
  });

  test('is sent if what is missing is not needed: a checksum of IEND, the end mark of a GIF, an unread part', async () => {
    const unread = Buffer.concat([u32(4), Buffer.from('tEXta\0bc'), u32(0)]);
    for (const bytes of [
      png().subarray(0, -2),
      gif().subarray(0, -1),
      Buffer.concat([png().subarray(0, 33), unread, png().subarray(33)]),
    ])
      await expect(sniffMedia('image', bytes)).resolves.toBeDefined();
  });
});

describe('audio', () => {
  test.each(Object.entries(AUDIO))('may be %s', async (_name, [bytes, mimeType, extension]) => {
    expect(await sniffMedia('audio', bytes)).toEqual({ mimeType, extension });
  });

  test.each(Object.entries({ ...OTHERS, PNG: png(), WebP: webp() }))('is not: %s', async (_name, bytes) => {
    expect(await refusal('audio', bytes)).toMatch(
      /^The file at url is (not supported audio, or it is incomplete|OGG without Opus, which)/,
    );
  });

  test.each([
    ['WAV', wav()],
    ['FLAC', flac()],
    ['FLAC', Buffer.concat([id3(), flac()])],
    ['OGG without Opus', ogg(VORBIS_HEAD)],
  ])('is refused if WhatsApp Web does not read it: %s (%#)', async (name, bytes) => {
    expect(await refusal('audio', bytes)).toBe(
      `The file at url is ${name}, which WhatsApp Web does not read as audio. Use MP3, AAC, M4A, OGG with Opus, or AMR, or send it as a document. Nothing was sent.`,
    );
    expect((await sniffMedia('document', bytes)).mimeType).toMatch(/^audio\/(wav|flac|ogg)$/);
  });
});

describe('a document', () => {
  test('may be anything but empty', async () => {
    for (const bytes of [...Object.values(OTHERS), png(50_000, 50_000), mp3()]) {
      await expect(sniffMedia('document', bytes)).resolves.toBeDefined();
    }
    expect(await refusal('document', Buffer.alloc(0))).toBe('The file at url is empty. Nothing was sent.');
  });

  test('gets its type from its bytes, or octet-stream where they are inconclusive', async () => {
    expect(await sniffMedia('document', pdf())).toEqual({ mimeType: 'application/pdf', extension: 'pdf' });
    expect(await sniffMedia('document', Buffer.from('just text'))).toEqual({
      mimeType: 'application/octet-stream',
      extension: 'bin',
    });
  });
});

describe('a document of text', () => {
  const CSV = [
    'BMW',
    'GIFT',
    'MZ',
    'ID3',
    '8BPS',
    'SQLi',
    'FORM',
    'PAR1',
    'solid ',
    'AC1027',
    'BZh',
    'II',
    'OTTO',
    'MThd',
  ];

  test.each(CSV)('is text under the name of a text, although it begins with %s', async (start) => {
    for (const text of [`${start};Größe\n1;2\n`, `\ufeff${start};Price\n`]) {
      const typeAs = async (filename: string) =>
        (await sniffMedia('document', Buffer.from(text), filename)).mimeType;
      expect(await typeAs('list.csv')).toBe('text/csv');
      expect(await typeAs('NOTES.TXT')).toBe('text/plain');
      expect(await typeAs('letter')).toBe('application/octet-stream');
    }
  });

  test('is what it is under the name of something else', async () => {
    const typeAs = async (text: string, filename: string) =>
      (await sniffMedia('document', Buffer.from(text), filename)).mimeType;
    expect(await typeAs('{\\rtf1 Hello}', 'letter.rtf')).toBe('application/rtf');
    expect(await typeAs('solid part\n', 'part.stl')).toBe('model/stl');
    expect(
      await typeAs('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', 'a.xls'),
    ).toBe('application/vnd.ms-excel');
  });

  test('is binary if its bytes are: a name hides nothing', async () => {
    for (const [bytes, mimeType] of [
      [exe(), 'application/x-msdownload'],
      [png(), 'image/png'],
      [Buffer.concat([id3(), mp3()]), 'audio/mpeg'],
    ] as const)
      expect(await sniffMedia('document', bytes, 'list.csv')).toMatchObject({ mimeType });
  });
});

describe('a PDF', () => {
  test.each([
    ['blanks', '   '],
    ['a line end', '\r\n'],
    ['a byte order mark', '\ufeff'],
    [
      'the warning of a script',
      '<br />\n<b>Notice</b>: Undefined index in <b>a.php</b> on line <b>7</b><br />\n',
    ],
    ["a printer's commands", '\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n'],
  ])('is one after %s', async (_what, before) => {
    const bytes = Buffer.concat([Buffer.from(before), pdf(), Buffer.from([0, 255])]);
    for (const filename of ['invoice.pdf', 'invoice', 'invoice.docx'])
      expect(await sniffMedia('document', bytes, filename)).toMatchObject({ mimeType: 'application/pdf' });
  });

  test('begins within the first 1,024 bytes, and is not a text that mentions one', async () => {
    const late = Buffer.concat([Buffer.alloc(1100, ' '), pdf()]);
    expect(await sniffMedia('document', late)).toMatchObject({ mimeType: 'application/octet-stream' });
    const mention = Buffer.from('A PDF begins with %PDF-1.4.');
    expect(await sniffMedia('document', mention, 'a.txt')).toMatchObject({ mimeType: 'text/plain' });
  });
});

test('millions of empty parts take no more of the processor than a look at each byte', async () => {
  const filled = (start: Buffer, part: Buffer) =>
    Buffer.concat([start, Buffer.alloc(16 * 1024 ** 2 - start.length, part)]);
  const files = [
    ['audio', filled(mp4('M4A ', []), Buffer.from('\0\0\0\x08moov', 'latin1'))],
    ['audio', filled(id3(0), id3(0))],
    ['image', filled(Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xe0, 0, 2]))],
    ['image', filled(gif().subarray(0, 13), Buffer.from([0x21, 0xff, 0]))],
  ] as const;
  const processorMs = async (work: () => unknown) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  let looked = 0;
  const floor = await processorMs(() => {
    for (const [, bytes] of files) for (const byte of bytes) looked += byte;
  });
  const spent = await processorMs(async () => {
    for (const [kind, bytes] of files) await refusal(kind, bytes);
  });
  expect(looked).toBeGreaterThan(0);
  expect(spent / floor).toBeLessThan(3);
});

test.each(Object.entries(MEDIA_RULES))('the sample of %s has its declared type', async (kind, { sample }) => {
  const bytes = await readFile(new URL(`../../../worker/sandbox/samples/${sample.name}`, import.meta.url));
  expect(await sniffMedia(kind as MediaKind, bytes)).toMatchObject({ mimeType: sample.mimeType });
});

test('altered, cut or random bytes are classified or refused, never an error of another kind', async () => {
  const samples = [...Object.values(IMAGES), ...Object.values(AUDIO)].map(([bytes]) =>
    bytes.subarray(0, 4000),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(MEDIA_RULES) as MediaKind[])),
      fc.constantFrom(...samples, ...Object.values(OTHERS)),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
      fc.nat(4000),
      async (kind, sample, edits, length) => {
        const bytes = Buffer.from(sample.subarray(0, length));
        for (const [at, value] of edits) if (bytes.length > 0) bytes[at % bytes.length] = value;
        const outcome: unknown = await sniffMedia(kind, bytes).catch((error: unknown) => error);
        if (outcome instanceof Error)
          expect(outcome).toMatchObject({ name: 'AppError', code: 'media_unusable' });
      },
    ),
    { numRuns: 3000 },
  );
});
