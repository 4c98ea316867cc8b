/** Values inside keys as ElectroDB writes them: text as it stands, numbers padded with zeros. */

const LENGTH = 16;

/** A value as it stands in a key; whole numbers from 0 on sort right. */
export function keyText(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value).padStart(LENGTH, "0");
  return String(value);
}

/** The least number of a range as it can stand in a key: none is less than 0, or has a fraction. */
export function lowerBound(value: number | bigint): number | bigint {
  if (typeof value === "bigint") return value < 0n ? 0n : value;
  return Math.max(0, Math.floor(value));
}
