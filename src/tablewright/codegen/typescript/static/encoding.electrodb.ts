/** Values inside keys as ElectroDB writes them: text as it stands, numbers padded with zeros. */

const LENGTH = 16;

/** A value as it stands in a key; the order of texts is the order of numbers. */
export function keyText(value: unknown): string {
  return typeof value === "number" || typeof value === "bigint" ? numberText(value) : String(value);
}

/**
 * Zeros in front, decimals behind a point; below zero a minus, and what is left to the greatest. Of the last two
 * ElectroDB has no form that sorts; whole numbers from 0 on are as it pads them.
 */
function numberText(value: number | bigint): string {
  const { digits, places } = exact(value);
  const limit = 10n ** BigInt(LENGTH + places);
  if (digits >= limit || digits <= -limit) throw new RangeError(`${value} is too large for a key`);
  const text = (digits >= 0n ? digits : limit + digits).toString().padStart(LENGTH + places, "0");
  const behind = text.slice(LENGTH).replace(/0+$/, "");
  return `${digits >= 0n ? "" : "-"}${text.slice(0, LENGTH)}${behind && `.${behind}`}`;
}

/** The digits of a number, and how many of them stand behind the point. */
function exact(value: number | bigint): { digits: bigint; places: number } {
  if (typeof value === "bigint") return { digits: value, places: 0 };
  const [mantissa = "0", exponent = "0"] = value.toString().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}
