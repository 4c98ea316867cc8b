/** Values inside keys: text with an order-preserving escape, numbers of fixed width. */

const ESCAPE = "$";
const SHIFT = 0x40;
const DECIMALS = 6;
const DIGITS = 26;

/** A value as it stands in a key; the order of texts is the order of values. */
export function keyText(value: unknown): string {
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number" || typeof value === "bigint") return numberText(value);
  return escaped(String(value));
}

/** Every character up to the escape sign is written as that sign and another: no value looks like a delimiter. */
function escaped(text: string): string {
  let found = "";
  for (const each of text) {
    found += each > ESCAPE ? each : ESCAPE + String.fromCodePoint(each.codePointAt(0)! + SHIFT);
  }
  return found;
}

/** A sign digit, then 26 digits: the number times a million; below zero as what is left to the greatest. */
function numberText(value: number | bigint): string {
  const limit = 10n ** BigInt(DIGITS);
  const scaled = scaledNumber(value);
  if (scaled >= limit || scaled <= -limit) throw new RangeError(`${value} is too large for a key`);
  const digits = scaled >= 0n ? scaled : limit + scaled;
  return (scaled >= 0n ? "1" : "0") + digits.toString().padStart(DIGITS, "0");
}

function scaledNumber(value: number | bigint): bigint {
  if (typeof value === "bigint") return value * 10n ** BigInt(DECIMALS);
  const [mantissa = "0", exponent = "0"] = value.toString().split("e");
  const [whole = "0", fraction = ""] = mantissa.replace("-", "").split(".");
  const places = fraction.length - Number(exponent) - DECIMALS;
  const digits = BigInt(whole + fraction);
  const finer = 10n ** BigInt(Math.max(places, 0));
  if (digits % finer) throw new RangeError(`${value} has more than ${DECIMALS} decimals, too many for a key`);
  const scaled = places > 0 ? digits / finer : digits * 10n ** BigInt(-places);
  return value < 0 ? -scaled : scaled;
}
