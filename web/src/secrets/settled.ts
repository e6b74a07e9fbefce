import { useEffect, useState } from 'react'

/** A value as it was when nobody had typed for a moment. */
export function useSettled<Value>(value: Value, after = 200): Value {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says whether it is another value.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [text, after])
  return settled
}
