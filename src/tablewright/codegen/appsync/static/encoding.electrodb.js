/** Values inside keys as ElectroDB writes them: text as it stands, numbers padded with zeros. */

const LENGTH = 16;

export function keyText(value) {
  return typeof value === "number" ? `${value}`.padStart(LENGTH, "0") : `${value}`;
}
