/** Times that are earlier or later than others, in the form that these have, and numbers likewise. */

import { InvalidValueError } from "./errors.js";
import { compared, isNumber, sum } from "./numbers.js";

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d:\d\d)((?:\.\d+)?(?:Z|\+00:00)?))?$/;
const DAY = 86_400;
const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59Z")];

/**
 * A number with this added, or a time so many seconds later: of dates whole days count, and nothing lies before the
 * year 1 or behind 9999.
 * @throws InvalidValueError where it is neither.
 */
export function shifted(value: unknown, by: number): number | bigint | string {
  if (isNumber(value)) return sum([value, by]);
  const [, day, time, rest = ""] = MOMENT.exec(String(value)) ?? [];
  const whole = `${day}${time ?? "T00:00:00"}`;
  const moment = Date.parse(`${whole}Z`);
  if (Number.isNaN(moment) || secondsOf(moment) !== whole) {
    throw new InvalidValueError(`${JSON.stringify(String(value))} is no time such as 2026-01-31T09:00:00Z`);
  }
  const seconds = time === undefined ? Math.trunc(by / DAY) * DAY : by;
  const moved = secondsOf(Math.min(LAST, Math.max(FIRST, moment + seconds * 1000)));
  return time === undefined ? moved.slice(0, 10) : moved + rest;
}

function secondsOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19);
}

/** Where what overlaps may have begun. */
export function earliest(from: unknown, longest: number): number | bigint | string {
  return shifted(from, -longest);
}

/** Whether an end lies further behind its beginning than that. */
export function lastsLonger(start: unknown, end: unknown, longest: number): boolean {
  shifted(end, 0); // which has to be a time as well
  return compared(end, shifted(start, longest)) > 0;
}
