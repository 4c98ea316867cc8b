/** Expressions with their slots filled, and demands on items at hand. */

import { isAbsent, resolve, valueOf } from "./keys.js";
import type { Demand, Expression, Input, Item, ReadStep } from "./model.js";
import { compared } from "./numbers.js";

/** An expression of one request, with what its placeholders stand for. */
export interface Rendered {
  readonly text: string;
  readonly names: { readonly [placeholder: string]: string };
  readonly values: { readonly [placeholder: string]: unknown };
}

interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

export function render(expression: Expression, input: Input): Rendered {
  const names = Object.entries(expression.names ?? {}).map(
    ([mark, name]) => [mark, typeof name === "string" ? name : String(valueOf(input, name.slot))] as const,
  );
  const values = Object.entries(expression.values ?? {}).map(([mark, value]) => [mark, resolve(value, input)] as const);
  return { text: expression.text, names: Object.fromEntries(names), values: Object.fromEntries(values) };
}

/** The names and values of a request with these expressions. */
export function placeholders(used: readonly Rendered[]): Placeholders {
  const names: Record<string, string> = Object.assign({}, ...used.map((each) => each.names));
  const values: Record<string, unknown> = Object.assign({}, ...used.map((each) => each.values));
  return {
    ...(Object.keys(names).length ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length ? { ExpressionAttributeValues: values } : {}),
  };
}

/** Whether a step keeps an item at hand: it is what a request would have been filtered for, and has not expired. */
export function answers(step: ReadStep, item: Item, input: Input): boolean {
  return passes(step.demands ?? [], item, input) && isUnexpired(step, item, input);
}

export function isUnexpired({ unexpired }: ReadStep, item: Item, input: Input): boolean {
  const until = unexpired === undefined ? undefined : valueOf(item, unexpired);
  return isAbsent(until) || compared(until, input["_now"]) > 0;
}

function passes(demands: readonly Demand[], item: Item, input: Input): boolean {
  return demands.every((demand) => {
    const value = valueOf(item, demand.attribute);
    const given = (demand.values ?? []).map((each) => resolve(each, input));
    return !isAbsent(value) && isMet(demand.operator, value, given);
  });
}

function isMet(operator: Demand["operator"], value: unknown, given: readonly unknown[]): boolean {
  const [low, high] = given;
  switch (operator) {
    case "exists":
      return true;
    case "in":
      return given.some((each) => compared(value, each) === 0);
    case "begins_with":
      return String(value).startsWith(String(low));
    case "between":
      return compared(value, low) >= 0 && compared(value, high) <= 0;
    case "=":
      return compared(value, low) === 0;
    case "<>":
      return compared(value, low) !== 0;
    case ">":
      return compared(value, low) > 0;
    case ">=":
      return compared(value, low) >= 0;
    case "<":
      return compared(value, low) < 0;
    case "<=":
      return compared(value, low) <= 0;
  }
}
