import { useRefresh } from '../api/answers.ts'
import { isMissing } from '../api/client.ts'
import { useToasts } from '../kit/Toasts.tsx'

type Done = {
  readonly done: string
  readonly text?: string | undefined
  /** How it is taken back; that is offered for a while. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

/** Says what was done, and asks again for what it may have changed. */
export function useDone(subjects: readonly string[]): (told: Done) => Promise<void> {
  const say = useToasts()
  const refresh = useRefresh()
  return async ({ done, text, undo }) => {
    const takeBack = async () => {
      await undo?.().catch((error: unknown) => say.failed('It could not be undone', error))
      await refresh(subjects)
    }
    say.done(done, { ...(text !== undefined && { text }), ...(undo && { undo: takeBack }) })
    await refresh(subjects)
  }
}

/** Does something, and says how it went. Returns whether it was done. */
export function useAct(subjects: readonly string[]) {
  const say = useToasts()
  const tell = useDone(subjects)
  return async (act: () => Promise<unknown>, { failed, ...told }: Done & { readonly failed: string }) => {
    try {
      await act()
    } catch (error) {
      say.failed(failed, error)
      return false
    }
    await tell(told)
    return true
  }
}

type Asked<Data> = { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown }

/** Below `/v1`, a list without entries is answered as missing. */
export const orEmpty = <Data>(asked: Asked<Data>, empty: NoInfer<Data>): Asked<Data> =>
  isMissing(asked.error) ? { data: empty, error: null, refetch: asked.refetch } : asked

/** What the server warned about when it did something. */
export const warningsIn = (answer: unknown): string | undefined =>
  (Object(answer) as { warnings?: readonly string[] | null }).warnings?.join(' ') || undefined
