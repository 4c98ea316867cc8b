/** What can go wrong in the application's terms; everything else is the SDK's own error. */

/** A condition did not hold: the item exists already, is gone, or was changed by someone else. Nothing was written. */
export class ConditionFailedError extends Error {
  override readonly name = "ConditionFailedError";
}

/** A part of a transaction was refused, so that nothing of it was written. */
export class TransactionRefusedError extends Error {
  override readonly name = "TransactionRefusedError";

  constructor(
    message: string,
    /** One for every item of the transaction: `None`, `ConditionalCheckFailed`, `TransactionConflict`... */
    readonly reasons: readonly string[],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** There was no item to change or to delete. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** A value is not as it must be. Nothing was sent. */
export class InvalidValueError extends Error {
  override readonly name = "InvalidValueError";
}

/** A cursor that was not made for this question. */
export class CursorError extends Error {
  override readonly name = "CursorError";
}

/** What was wrong with every item of a transaction that was refused; none for any other error. */
function reasonsOf(error: Error): string[] {
  if (error.name !== "TransactionCanceledException") return [];
  const given = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
  return given.map((each) => each.Code ?? "None");
}

/** Whether a transaction failed for nothing but another one on the same items. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const wrong = reasonsOf(error).filter((each) => each !== "None");
  return wrong.length > 0 && wrong.every((each) => each === "TransactionConflict");
}

/** Whether a ClientRequestToken was used before, in a request that said something else. */
export function isUsedToken(error: unknown): boolean {
  return error instanceof Error && error.name === "IdempotentParameterMismatchException";
}

/** Whether a condition or another writer was in the way, and nothing was written. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && (error.name === "ConditionalCheckFailedException" || reasonsOf(error).length > 0);
}

/** What DynamoDB refused, in the application's terms where there are such. */
export function translated(error: unknown, what: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === "ConditionalCheckFailedException") {
    return new ConditionFailedError(`${what}: a condition did not hold`, { cause: error });
  }
  if (error.name === "TransactionCanceledException") {
    const reasons = reasonsOf(error);
    const refused = reasons.filter((each) => each !== "None").join(", ");
    return new TransactionRefusedError(`${what}: ${refused}`, reasons, { cause: error });
  }
  return error;
}
