/** Filters and conditions as the expressions DynamoDB takes; every name and value becomes a placeholder. */

import type { Filter, Input, Item } from "./model.js";
import { isAbsent, onlyName } from "./templates.js";

const COMPARISONS = { "=": "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

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

  parameters(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Record<string, unknown> } {
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
    return name === undefined ? value : input[name];
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

type Comparable = string | number | boolean;

/** The same on an item at hand, where a request has no filter. */
export function passes(filters: readonly Filter[], item: Item, input: Input): boolean {
  return filters.every((filter) => {
    const value = item[filter.attribute];
    if (isAbsent(value)) return false;
    const given = filterValues(filter, input);
    const [low, high] = given as Comparable[];
    const own = value as Comparable;
    switch (filter.operator) {
      case "=":
        return own === low;
      case "in":
        return given.includes(own);
      case "begins_with":
        return String(own).startsWith(String(low));
      case "between":
        return own >= low! && own <= high!;
      case "gt":
        return own > low!;
      case "gte":
        return own >= low!;
      case "lt":
        return own < low!;
      case "lte":
        return own <= low!;
    }
  });
}

const WORDS = new Set(["and", "or", "not", "between", "in"]);
const FUNCTIONS = new Set(["attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"]);
const TOKEN = /\{([^{}]+)\}|:(\w+)|'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)/g;

/** A condition over plain names, with `{name}`, numbers and 'texts' for values, as DynamoDB takes it. */
export function conditionText(text: string, values: Input, used: Placeholders): string {
  return text.replace(TOKEN, (_, braced?: string, colon?: string, single?: string, double?: string, number?: string, word?: string) => {
    if (word !== undefined) {
      if (word.toLowerCase() === "true" || word.toLowerCase() === "false") return used.value(word.toLowerCase() === "true");
      return WORDS.has(word.toLowerCase()) || FUNCTIONS.has(word) ? word : used.name(word);
    }
    if (number !== undefined) return used.value(Number(number));
    const parameter = braced ?? colon;
    return used.value(parameter === undefined ? (single ?? double) : values[parameter]);
  });
}

/** Conditions that attributes are still what they were when they were read. */
export function unchangedTexts(names: readonly string[], old: Item, used: Placeholders): string[] {
  return names.map((name) => {
    const mark = used.name(name);
    return isAbsent(old[name]) ? `attribute_not_exists(${mark})` : `${mark} = ${used.value(old[name])}`;
  });
}
