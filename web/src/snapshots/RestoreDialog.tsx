import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { base, call, type Schemas } from '../api/client.ts'
import { Failure } from '../kit/Answer.tsx'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Dialog, DialogActions, TypedName } from '../kit/Dialog.tsx'
import { count } from '../kit/numbers.ts'
import { Note } from '../kit/Page.tsx'
import { Table } from '../kit/Table.tsx'
import { duration, exact, relative } from '../kit/times.ts'
import { Working } from '../kit/Working.tsx'
import { type Difference, differencesOf, differenceText, lossesOf } from './restoring.ts'

/** What is restored: a stored snapshot, or a file of whoever restores it. */
export type Source = { readonly schedule: string; readonly file: string } | { readonly upload: File }

/** How it is restored. */
type Terms = { readonly revoke: boolean; readonly force: boolean; readonly key: string }

type Answered<Data> = { readonly data: Data; readonly warnings: readonly string[] }
type Preview = Answered<Schemas['RestorePreview']> & { readonly seconds: number }
type Result = Answered<Schemas['RestoreResult']>

// The API client would send a file as JSON.
const asBytes = (upload: File) => ({
  body: upload as never,
  bodySerializer: (body: unknown) => body as Blob,
  headers: { 'content-type': 'application/gzip' },
})

const answered = <Data,>({ data, warnings }: { data: Data; warnings?: readonly string[] | null }): Answered<Data> => ({
  data,
  warnings: warnings ?? [],
})

async function preview(source: Source): Promise<Preview> {
  const begun = performance.now()
  const answer =
    'upload' in source
      ? await call('snapshots.preview', asBytes(source.upload))
      : await call('snapshots.preview-stored', { params: { path: { name: source.schedule, file: source.file } } })
  return { ...answered(answer), seconds: (performance.now() - begun) / 1000 }
}

async function restore(source: Source, { revoke, force, key }: Terms): Promise<Result> {
  const query = { revoke_tokens: revoke }
  if (!('upload' in source)) {
    const path = { name: source.schedule, file: source.file }
    return answered(await call('snapshots.restore-stored', { params: { path, query } }))
  }
  const { upload } = source
  if (!force) return answered(await call('snapshots.restore', { ...asBytes(upload), params: { query } }))
  const keyed = asBytes(upload)
  const headers = { ...keyed.headers, ...(key && { 'X-Holdfast-Seal-Key': key }) }
  return answered(await call('snapshots.restore-by-force', { ...keyed, headers, params: { query } }))
}

/** Replaces everything by a snapshot, after a look at what that changes and the name of the server typed. */
export function RestoreDialog({ source, close }: { source: Source; close: () => void }) {
  const [id] = useState(() => Date.now())
  const looked = useQuery({
    queryKey: ['restore-preview', id],
    queryFn: () => preview(source),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [work, setWork] = useState<{ terms: Terms; failed?: unknown; result?: Result }>()
  const begin = async (terms: Terms) => {
    setWork({ terms })
    try {
      setWork({ terms, result: await restore(source, terms) })
    } catch (failed) {
      setWork({ terms, failed })
    }
  }
  const isBusy = work !== undefined && !work.failed && !work.result
  const name = 'upload' in source ? source.upload.name : source.schedule
  const title = work?.result ? 'Restored' : `Restore ${name}?`
  return (
    <Dialog
      title={title}
      close={isBusy || work?.result ? () => undefined : close}
      width={620}
      unsaved={isBusy || work?.result !== undefined}
    >
      {looked.isLoading && <Working>Reading the snapshot, and comparing it with what is here</Working>}
      {looked.error && (
        <Failure title="What it would change is not known" error={looked.error} again={() => looked.refetch()} />
      )}
      {looked.data && !work && <Question source={source} preview={looked.data} close={close} begin={begin} />}
      {isBusy && <Restoring expected={looked.data?.seconds} />}
      {work?.failed !== undefined && (
        <>
          <Failure title="It was not restored" error={work.failed} again={() => begin(work.terms)} />
          <DialogActions>
            <Button local onClick={close}>
              Close
            </Button>
          </DialogActions>
        </>
      )}
      {work?.result && <Restored result={work.result} />}
    </Dialog>
  )
}

const Restoring = ({ expected }: { expected: number | undefined }) => (
  <>
    <Working expected={expected === undefined ? undefined : expected * 1.3}>Restoring</Working>
    <p className="soft">
      The snapshot is restored beside the data in use, compared, and then put in its place in one step. Until that step
      nothing changes. Leave this page open.
    </p>
  </>
)

type QuestionProps = {
  readonly source: Source
  readonly preview: Preview
  readonly close: () => void
  readonly begin: (terms: Terms) => void
}

function Question({ source, preview: { data, warnings, seconds }, close, begin }: QuestionProps) {
  const [typed, setTyped] = useState('')
  const [terms, setTerms] = useState<Terms>({ revoke: false, force: data.needs_force, key: '' })
  const server = location.host
  const differences = differencesOf(data.tables)
  const isElsewhere = data.needs_force && !('upload' in source)
  const reason = isElsewhere
    ? 'It was made with other keys. Download it, and restore the file.'
    : typed === server
      ? undefined
      : `Type ${server} first.`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) begin(terms)
      }}
    >
      <p className="soft row">
        Replaces everything on this server by what it was on {exact(data.created)}, {relative(data.created)} ago.
        Nothing has happened yet.
      </p>
      <Provenance data={data} />
      <Changes differences={differences} />
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
      <Losses losses={lossesOf(differences)} />
      {data.needs_force && 'upload' in source && (
        <TypedName
          label="Seal key of the server it comes from"
          hint="Without it, this server is sealed afterwards, until that key is in place."
          type="password"
          value={terms.key}
          change={(key) => setTerms({ ...terms, key })}
        />
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={terms.revoke}
          onChange={({ target }) => setTerms({ ...terms, revoke: target.checked })}
        />{' '}
        Revoke tokens that would become valid again
      </label>
      <TypedName label={`Type the name of this server, ${server}`} value={typed} change={setTyped} />
      <DialogActions note={`Takes about ${duration(Math.max(1, seconds * 1.3))}`}>
        <Button local onClick={close}>
          Cancel
        </Button>
        <Button type="submit" kind="destroy" reason={reason}>
          Replace everything
        </Button>
      </DialogActions>
    </form>
  )
}

const Provenance = ({ data }: { data: Preview['data'] }) => (
  <Note tone={data.same_keys && data.same_cluster ? 'ok' : 'warn'}>
    <span className="strong">
      {data.same_cluster ? 'Taken by this server.' : 'Taken by another server: its snapshot schedules are paused.'}
    </span>{' '}
    {data.same_keys ? 'Made with its keys, read from end to end.' : 'Made with other keys: it is restored by force.'}
  </Note>
)

const Changes = ({ differences }: { differences: readonly Difference[] }) => (
  <div className="row">
    <Table
      label="What changes"
      columns={[
        { title: 'What changes', phone: 'name', cell: ({ kind }) => kind },
        { title: 'In the snapshot', right: true, cell: ({ saved }) => count(saved) },
        { title: 'Now', right: true, cell: ({ now }) => count(now) },
        { title: 'Difference', right: true, phone: 'time', cell: differenceText },
      ]}
      rows={differences}
      keyOf={({ kind }) => kind}
      nothing="Nothing: all is as it is in the snapshot."
    />
  </div>
)

const Losses = ({ losses }: { losses: string }) => (
  <Note tone="bad">
    {losses && <span className="strong">{losses}, made since then, would be lost. </span>}
    Whoever signed in since then signs in again. Take a snapshot now if you may want to come back.
  </Note>
)

const Restored = ({ result: { data, warnings } }: { result: Result }) => (
  <>
    <Note tone="ok">
      <span className="strong">The data is that of {exact(data.created)}.</span> {count(data.entries)} rows were
      restored.
    </Note>
    {warnings.map((warning) => (
      <Note key={warning} tone="warn">
        {warning}
      </Note>
    ))}
    <DialogActions>
      <a className={buttonClass('primary')} href={`${base}/server/snapshots`}>
        Continue
      </a>
    </DialogActions>
  </>
)
