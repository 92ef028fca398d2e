import { expect, test } from 'vitest';
import { addressBlock, addressSite, plainAddress } from './client-address.ts';

test.each([
  ['198.51.100.7', '198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:4711', '198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7', '198.51.100.7'],
  ['[::ffff:198.51.100.7]:4711', '198.51.100.7', '198.51.100.7'],
  ['2001:DB8:1:2::3', '2001:db8:1:2::3', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::3]', '2001:db8:1:2::3', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:ffff::3]:4711', '2001:db8:1:2:ffff::3', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::1', 'fe80::/64'],
])('%s is shown as %s and counts under %s', (given, shown, counted) => {
  expect(plainAddress(given)).toBe(shown);
  expect(addressBlock(given)).toBe(counted);
});

test('the blocks of one IPv6 site count together where sites count', () => {
  expect(['2001:db8:1:2::3', '2001:db8:1:ffff::1'].map(addressSite)).toEqual(
    Array(2).fill('2001:db8:1::/48'),
  );
  expect(addressSite('2001:db8:2::1')).toBe('2001:db8:2::/48');
  expect(addressSite('198.51.100.7')).toBe('198.51.100.7');
});

test.each([null, undefined, '', ' ', 'unknown', '_hidden', '198.51.100', '[', '%eth0'])(
  '%j is no address: all of those are counted together',
  (given) => {
    expect(plainAddress(given)).toBe(null);
    expect(addressBlock(given)).toBe('unknown');
  },
);
