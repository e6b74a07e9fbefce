import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, isMissing } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Form, TextField } from '../../kit/Form.tsx'
import { Page } from '../../kit/Page.tsx'
import { useDone } from '../act.ts'
import { isOutrun, problemOf, typedOf, typedValue, ValueFields, writeSecret } from './Editor.tsx'
import { kvSubjects, nameOf, readSecret, type Spot, useSpot } from './engine.ts'
import { NoSuchEngine } from './FolderPage.tsx'

const route = getRouteApi('/server/secrets/new-secret/$')

/** A secret that is not there yet. */
export function NewSecretPage() {
  const { _splat: folder = '' } = route.useParams()
  const asked = useSpot(folder)
  return (
    <Answer of={asked} failed="The engines could not be read">
      {({ spot }) => (spot ? <NewSecret key={folder} folder={spot} /> : <NoSuchEngine path={folder} />)}
    </Answer>
  )
}

function NewSecret({ folder }: { folder: Spot }) {
  const [blank] = useState({ name: '', ...typedOf({}) })
  const draft = useDraft(blank)
  const tell = useDone(kvSubjects)
  const navigate = useNavigate()
  const before = nameOf(folder).replace(/\/?$/, '/')
  const name = draft.values.name.trim().replace(/^\/+|\/+$/g, '')
  const spot: Spot = { engine: folder.engine, key: `${before}${name}`.slice(folder.engine.path.length) }
  const send = async () => {
    await create(spot, typedValue(draft.values))
    await tell({ done: `${nameOf(spot)} is written` })
    await navigate({ to: '/server/secrets/secret/$', params: { _splat: nameOf(spot) }, ignoreBlocker: true })
  }
  return (
    <Page title="New secret" facts={<span>in {before}</span>}>
      <Form
        draft={draft}
        isNew
        action="Create secret"
        effect={name === '' ? '' : `It can be read at ${nameOf(spot)} at once.`}
        reason={name === '' ? 'Give it a name first.' : problemOf(draft.values)}
        cancel={() =>
          navigate({ to: '/server/secrets/browse/$', params: { _splat: before.slice(0, -1) }, ignoreBlocker: true })
        }
        send={send}
      >
        <TextField
          draft={draft}
          name="name"
          label="Name"
          hint="Slashes make folders."
          placeholder="app/database"
          first
        />
        <ValueFields draft={draft} />
      </Form>
    </Page>
  )
}

const taken = (spot: Spot) =>
  new ApiFailure(new Response(null, { status: 409 }), {
    errors: [`There is a secret ${nameOf(spot)} already. Open it to write it anew.`],
  })

/** What is there already is never overwritten. */
async function create(spot: Spot, value: ReturnType<typeof typedValue>): Promise<void> {
  if (!spot.engine.hasVersions && (await isThere(spot))) throw taken(spot)
  try {
    await writeSecret(spot, value, 0)
  } catch (error) {
    throw isOutrun(error) ? taken(spot) : error
  }
}

async function isThere(spot: Spot): Promise<boolean> {
  try {
    await readSecret(spot)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
