/** What callers leave out has its default, and what must not be is refused. */

import { InvalidValueError } from "./errors.js";
import type { Input, Rule, Slot, WritePattern } from "./model.js";
import { lastsLonger } from "./times.js";

/** The inputs with their defaults, all of them as they must be; nothing is sent otherwise. */
export function withRules(what: string, pattern: WritePattern, input: Input, now: number): Input {
  const rules = pattern.rules ?? [];
  const found = obeying(what, rules.filter((each) => each.each === undefined), input, now);
  for (const name of new Set(rules.flatMap((each) => each.each ?? []))) {
    const inside = rules.filter((each) => each.each === name);
    const elements = found[name] as readonly Input[];
    found[name] = elements.map((each) => obeying(what, inside, each, now, found)) as Input[string];
  }
  return found;
}

/** `around`: what all elements of a list share. */
function obeying(
  what: string,
  rules: readonly Rule[],
  given: Input,
  now: number,
  around: Input = {},
): Record<string, Input[string]> {
  const found: Record<string, Input[string]> = { ...given };
  for (const rule of rules) {
    const value = found[rule.input] ?? defaultOf(rule, now);
    if (value === undefined || value === null) continue;
    found[rule.input] = value;
    const wrong = wrongAbout(rule, value);
    if (wrong) throw new InvalidValueError(`${what}: ${rule.input}: ${JSON.stringify(String(value))} ${wrong}`);
  }
  for (const rule of rules) checkLength(what, rule, { ...around, ...found });
  return found;
}

/** @throws InvalidValueError where something lasts too long, or where nobody could tell. */
function checkLength(what: string, rule: Rule, given: Input): void {
  if (rule.start === undefined) return;
  const [start, end] = [given[rule.start], given[rule.input]];
  if (rule.together && (start === undefined) !== (end === undefined)) {
    throw new InvalidValueError(`${what}: ${rule.start} and ${rule.input} are given together`);
  }
  if (start === undefined || start === null || end === undefined || end === null) return;
  if (lastsLonger(start, end, rule.longest ?? 0)) {
    throw new InvalidValueError(`${what}: ${rule.input} is too far behind ${rule.start}`);
  }
}

/** The time of the call, where the default is a slot. */
function defaultOf(rule: Rule, now: number): Input[string] | undefined {
  if (typeof rule.default !== "object") return rule.default;
  return "slot" in (rule.default as Slot) ? new Date(now * 1000).toISOString() : undefined;
}

function wrongAbout(rule: Rule, value: unknown): string {
  if (typeof value === "string") {
    const length = [...value].length;
    if (rule.minLength !== undefined && length < rule.minLength) return `has fewer than ${rule.minLength} characters`;
    if (rule.maxLength !== undefined && length > rule.maxLength) return `has more than ${rule.maxLength} characters`;
    return rule.pattern && !expressionOf(rule.pattern).test(value) ? `does not match ${rule.pattern}` : "";
  }
  if (typeof value !== "number" && typeof value !== "bigint") return "";
  if (rule.min !== undefined && value < rule.min) return `is less than ${rule.min}`;
  return rule.max !== undefined && value > rule.max ? `is more than ${rule.max}` : "";
}

/** By whole characters, unless the pattern escapes what needs no escape. */
function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
