/**
 * WhatsApp also addresses people by a second number, their LID, which hides the phone number. Here it is a
 * reversible shuffle of the 15-digit numbers, so the sandbox needs no table.
 */

const DIGITS = 15;
const RANGE = 10n ** BigInt(DIGITS);
const FACTOR = 736_338_717_420_413n; // odd and not a multiple of 5, so it is invertible modulo 10^15
const OFFSET = 114_203_577_129_961n;
const INVERSE = power(FACTOR, 4n * 10n ** 14n - 1n); // Euler: φ(10^15) = 4·10^14

/** `<15 digits>@lid` of a phone number in digits. */
export function lidOf(phone: string): string {
  const lid = (BigInt(phone) * FACTOR + OFFSET) % RANGE;
  return `${lid.toString().padStart(DIGITS, '0')}@lid`;
}

/** The phone number in digits of an `…@lid`. */
export function phoneOfLid(lid: string): string {
  const user = BigInt(lid.slice(0, lid.indexOf('@')));
  return (((user - OFFSET + RANGE) * INVERSE) % RANGE).toString();
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = base % RANGE, e = exponent; e > 0n; b = (b * b) % RANGE, e >>= 1n) {
    if (e & 1n) result = (result * b) % RANGE;
  }
  return result;
}
