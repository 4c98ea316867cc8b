/** Values inside keys as ElectroDB writes them: text as it stands, numbers padded with zeros. */

const LENGTH = 16;

export function keyText(value) {
  return typeof value === "number" ? `${value}`.padStart(LENGTH, "0") : `${value}`;
}

/** The least value of a range as it can stand in a key: no number is less than 0, or has a fraction. */
export function lowerBound(value) {
  if (typeof value !== "number") return value;
  return value > 0 ? Math.floor(value) : 0;
}
