import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { canonicalAddress, isPublicAddress, ownAddresses } from './address.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.1',
  '168.63.129.15',
  '192.88.98.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
];

/** The first and last address of each range that is not public, or a well-known one. */
const NOT_PUBLIC = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.100.100.200'],
  ...['100.127.255.255', '127.0.0.1', '127.255.255.255', '168.63.129.16', '169.254.0.0', '169.254.169.254'],
  ...['169.254.170.2', '172.16.0.0', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.31.196.1'],
  ...['192.52.193.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '192.175.48.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  '255.255.255.255',
  ...['::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
  ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '100::1', '2001::1', '2001:0:7f00:1::'],
  ...['2001:2::1', '2001:3::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:db8::1', '2002:7f00:1::'],
  ...['2002:a00:1::1', '2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:10.0.0.1', '2620:4f:8000::1'],
  ...['3fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%lo', 'fec0::1'],
  ...['ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2606:4700:4700::1111%eth0'],
];

describe('isPublicAddress', () => {
  test.each(PUBLIC)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(NOT_PUBLIC)('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '1.1.1.1 ',
    '[::1]',
    '8.8.8.8/32',
    '1.1.1.256',
  ])('text that is no address in its usual spelling is not public: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('no IPv6 address that embeds an IPv4 one is public', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2606:4700::5efe:']) {
          expect(isPublicAddress(`${prefix}${high}:${low}`)).toBe(false);
        }
        expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(false);
      }),
    );
  });

  test('nothing outside 2000::/3 is public', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const address = ipaddr.fromByteArray([...bytes]).toString();
        if (((bytes[0] ?? 0) & 0xe0) !== 0x20) expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });
});

test('canonicalAddress gives all spellings of an address one form', () => {
  expect(canonicalAddress('2606:4700:0:0::1')).toBe(canonicalAddress('2606:4700::0001'));
  expect(canonicalAddress('1.1.1.1')).toBe('1.1.1.1');
  expect(canonicalAddress('a.example')).toBeUndefined();
  expect(canonicalAddress(undefined)).toBeUndefined();
});

test('ownAddresses lists every interface', () => {
  const own = ownAddresses();
  for (const entry of Object.values(networkInterfaces()).flat()) {
    expect(own.has(canonicalAddress(entry?.address) ?? '')).toBe(true);
  }
  expect(own.size).toBeGreaterThan(0);
});
