/** A value that is there, or on its way. */
export type Awaitable<T> = T | Promise<T>

/**
 * Goes on with a value: at once if it is there, otherwise when it arrives. What hot paths find in memory then costs
 * neither a promise nor a wait in the microtask queue (docs/decisions/0010).
 */
export const andThen = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Several values: at once if all are there, otherwise when the last has arrived. */
export function allOf<T extends readonly unknown[]>(
  values: { readonly [K in keyof T]: Awaitable<T[K]> },
): Awaitable<T> {
  const isAnyOnItsWay = (values as readonly unknown[]).some((value) => value instanceof Promise)
  return isAnyOnItsWay ? (Promise.all(values) as Promise<unknown> as Promise<T>) : (values as unknown as T)
}
