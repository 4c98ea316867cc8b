/** Values inside keys as ElectroDB writes them: text as it stands, numbers padded with zeros. */

const LENGTH = 16;

/** A value as it stands in a key; whole numbers from 0 on sort right. */
export function keyText(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value).padStart(LENGTH, "0");
  return String(value);
}
