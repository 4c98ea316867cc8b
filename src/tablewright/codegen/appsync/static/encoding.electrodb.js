/** Values inside keys as ElectroDB writes them: text as it stands, numbers padded with zeros. */

import { util } from "@aws-appsync/utils";

const LENGTH = 16;

export function keyText(value) {
  return typeof value === "number" ? numberText(value) : `${value}`;
}

/** Zeros in front, decimals behind a point; below zero a minus, and what is left to the greatest. */
function numberText(value) {
  const text = `${value}`;
  const [whole, fraction] = text.replace("-", "").split(".");
  if (text.includes("e") || whole.length > LENGTH) util.error(`${text} is too large or too small for a key`, "KeyError");
  const digits = `${whole.padStart(LENGTH, "0")}${fraction ?? ""}`.split("");
  const last = digits.reduce((at, each, index) => (each === "0" ? at : index), -1);
  const left = digits.map((each, index) => (index > last ? "0" : `${(index === last ? 10 : 9) - each}`));
  const shown = value < 0 ? left : digits;
  const behind = fraction ? `.${shown.slice(LENGTH).join("")}` : "";
  return `${value < 0 ? "-" : ""}${shown.slice(0, LENGTH).join("")}${behind}`;
}
