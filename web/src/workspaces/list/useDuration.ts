import { useEffect, useRef, useState } from 'react'

/** How long the last answer took, in milliseconds. */
export function useDuration(isAsking: boolean): number | undefined {
  const began = useRef(performance.now())
  const [took, setTook] = useState<number>()
  useEffect(() => {
    if (isAsking) began.current = performance.now()
    else setTook(Math.round(performance.now() - began.current))
  }, [isAsking])
  return took
}
