/** Order as DynamoDB has it, and sums without the rounding of binary fractions. */

/** Below zero, zero or above, as one value sorts before, with or behind another of its type. Text goes by its bytes. */
export function compared(one: unknown, other: unknown): number {
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : one > other ? 1 : 0;
  if (typeof one !== typeof other) return typeof one < typeof other ? -1 : 1;
  return Buffer.compare(bytesOf(one), bytesOf(other));
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** The exact sum of decimal numbers: 0.1 and 0.2 are 0.3. A whole one that `number` cannot hold is a `bigint`. */
export function sum(values: readonly (number | bigint)[]): number | bigint {
  const parts = values.map(decimal);
  const places = Math.max(0, ...parts.map((each) => each.places));
  const scaled = parts.reduce((total, each) => total + each.digits * 10n ** BigInt(places - each.places), 0n);
  if (places === 0) return Number.isSafeInteger(Number(scaled)) ? Number(scaled) : scaled;
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
  return Number(`${scaled < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`);
}

interface Decimal {
  readonly digits: bigint;
  /** How many of the digits stand behind the point. */
  readonly places: number;
}

function decimal(value: number | bigint): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toString().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}
