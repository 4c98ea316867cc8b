/** Values inside keys: text with an order-preserving escape, numbers of fixed width. */

import { util } from "@aws-appsync/utils";

const ESCAPES = {
  "\u0000": "$@",
  "\u0001": "$A",
  "\u0002": "$B",
  "\u0003": "$C",
  "\u0004": "$D",
  "\u0005": "$E",
  "\u0006": "$F",
  "\u0007": "$G",
  "\b": "$H",
  "\t": "$I",
  "\n": "$J",
  "\u000b": "$K",
  "\f": "$L",
  "\r": "$M",
  "\u000e": "$N",
  "\u000f": "$O",
  "\u0010": "$P",
  "\u0011": "$Q",
  "\u0012": "$R",
  "\u0013": "$S",
  "\u0014": "$T",
  "\u0015": "$U",
  "\u0016": "$V",
  "\u0017": "$W",
  "\u0018": "$X",
  "\u0019": "$Y",
  "\u001a": "$Z",
  "\u001b": "$[",
  "\u001c": "$\\",
  "\u001d": "$]",
  "\u001e": "$^",
  "\u001f": "$_",
  " ": "$`",
  "!": "$a",
  "\"": "$b",
  "#": "$c",
  "$": "$d",
};
const WHOLE = 20;
const DECIMALS = 6;

export function keyText(value) {
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  return `${value}`
    .split("")
    .map((each) => ESCAPES[each] ?? each)
    .join("");
}

/** A sign digit, 20 digits, 6 decimals; below zero what is left to the greatest. An exponent is refused, not guessed. */
function numberText(value) {
  const text = `${value}`;
  if (text.includes("e")) util.error(`${text} is too large or too small to stand in a key`, "KeyError");
  const [whole, fraction] = text.replace("-", "").split(".");
  if ((fraction ?? "").length > DECIMALS) util.error(`${text} has more than ${DECIMALS} decimals, too many for a key`, "KeyError");
  const digits = `${whole.padStart(WHOLE, "0")}${(fraction ?? "").padEnd(DECIMALS, "0")}`.split("");
  const last = digits.reduce((at, each, index) => (each === "0" ? at : index), -1);
  if (value >= 0 || last < 0) return `1${digits.join("")}`;
  return `0${digits.map((each, index) => (index > last ? "0" : `${(index === last ? 10 : 9) - each}`)).join("")}`;
}
