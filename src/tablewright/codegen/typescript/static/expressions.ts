/** Filters and conditions as the expressions DynamoDB takes; every name and value becomes a placeholder. */

import type { Filter, Input, Item } from "./model.js";
import { compared } from "./numbers.js";
import { isAbsent, onlyName, valueOf } from "./templates.js";

const COMPARISONS = { "=": "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

interface Parameters {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** Names and values of one request, collected while its expressions are written. */
export class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly values: { [mark: string]: unknown } = {};
  private count = 0;

  name(attribute: string): string {
    const mark = this.names.get(attribute) ?? `#n${this.names.size}`;
    this.names.set(attribute, mark);
    return mark;
  }

  value(value: unknown): string {
    const mark = `:v${this.count++}`;
    this.values[mark] = value;
    return mark;
  }

  parameters(): Parameters {
    const names = Object.fromEntries([...this.names].map(([attribute, mark]) => [mark, attribute]));
    return {
      ...(this.names.size ? { ExpressionAttributeNames: names } : {}),
      ...(this.count ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}

/** `{name}` is a parameter, everything else stands for itself. */
function filterValues(filter: Filter, input: Input): unknown[] {
  return filter.values.map((value) => {
    const name = typeof value === "string" ? onlyName(value) : undefined;
    return name === undefined ? value : valueOf(input, name);
  });
}

export function filterText(filters: readonly Filter[], input: Input, used: Placeholders): string {
  const texts = filters.map((filter) => {
    const name = used.name(filter.attribute);
    const marks = filterValues(filter, input).map((value) => used.value(value));
    switch (filter.operator) {
      case "in":
        return `${name} IN (${marks.join(", ")})`;
      case "between":
        return `${name} BETWEEN ${marks[0]} AND ${marks[1]}`;
      case "begins_with":
        return `begins_with(${name}, ${marks[0]})`;
      default:
        return `${name} ${COMPARISONS[filter.operator]} ${marks[0]}`;
    }
  });
  return texts.join(" AND ");
}

/** The same on an item at hand, where a request has no filter. An item without the attribute passes none. */
export function passes(filters: readonly Filter[], item: Item, input: Input): boolean {
  return filters.every((filter) => {
    const value = valueOf(item, filter.attribute);
    return !isAbsent(value) && isMet(filter.operator, value, filterValues(filter, input));
  });
}

function isMet(operator: Filter["operator"], value: unknown, given: readonly unknown[]): boolean {
  const [low, high] = given;
  switch (operator) {
    case "in":
      return given.some((each) => compared(value, each) === 0);
    case "begins_with":
      return String(value).startsWith(String(low));
    case "between":
      return compared(value, low) >= 0 && compared(value, high) <= 0;
    case "=":
      return compared(value, low) === 0;
    case "gt":
      return compared(value, low) > 0;
    case "gte":
      return compared(value, low) >= 0;
    case "lt":
      return compared(value, low) < 0;
    case "lte":
      return compared(value, low) <= 0;
  }
}

const WORDS = new Set(["and", "or", "not", "between", "in"]);
const FUNCTIONS = new Set([
  "attribute_exists",
  "attribute_not_exists",
  "attribute_type",
  "begins_with",
  "contains",
  "size",
]);
const CONSTANTS: { readonly [word: string]: boolean } = { true: true, false: false };
const TOKEN = /\{([^{}]+)\}|:(\w+)|'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)/g;
type Found = string | undefined;

/** A condition over plain names, with `{name}`, numbers and 'texts' for values, as DynamoDB takes it. */
export function conditionText(text: string, values: Input, used: Placeholders): string {
  return text.replace(TOKEN, (_, ...found: Found[]) => {
    const [braced, colon, single, double, number, word] = found;
    if (word !== undefined) return wordText(word, used);
    if (number !== undefined) return used.value(Number(number));
    const parameter = braced ?? colon;
    return used.value(parameter === undefined ? (single ?? double) : valueOf(values, parameter));
  });
}

function wordText(word: string, used: Placeholders): string {
  const small = word.toLowerCase();
  if (Object.hasOwn(CONSTANTS, small)) return used.value(CONSTANTS[small]);
  return WORDS.has(small) || FUNCTIONS.has(word) ? word : used.name(word);
}

/** Conditions that attributes are still what they were when they were read. */
export function unchangedTexts(names: readonly string[], old: Item, used: Placeholders): string[] {
  return names.map((name) => {
    const mark = used.name(name);
    const value = valueOf(old, name);
    return isAbsent(value) ? `attribute_not_exists(${mark})` : `${mark} = ${used.value(value)}`;
  });
}
