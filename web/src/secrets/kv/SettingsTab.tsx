import { Answer } from '../../kit/Answer.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, Form, Pair, SwitchField, TextField } from '../../kit/Form.tsx'
import { useDone, warningsIn } from '../act.ts'
import { linesOf, pairsOf } from '../searches.ts'
import { callIn, kvSubjects, type Metadata, nameOf, type Spot, useMetadata } from './engine.ts'

/** What holds for one secret, and the texts that are kept with it. */
export function SettingsTab({ spot }: { spot: Spot }) {
  const asked = useMetadata(spot)
  return (
    <Answer of={asked} failed="The settings could not be read">
      {({ data }) => <Settings spot={spot} metadata={data} />}
    </Answer>
  )
}

const valuesOf = (metadata: Metadata) => ({
  custom_metadata: linesOf(metadata.custom_metadata),
  max_versions: metadata.max_versions === 0 ? '' : String(metadata.max_versions),
  delete_version_after: metadata.delete_version_after === '0s' ? '' : metadata.delete_version_after,
  cas_required: metadata.cas_required,
  metadata_cas_required: metadata.metadata_cas_required,
})

function Settings({ spot, metadata }: { spot: Spot; metadata: Metadata }) {
  const draft = useDraft(valuesOf(metadata))
  const tell = useDone(kvSubjects)
  return (
    <Form
      draft={draft}
      action="Save settings"
      effect="Holds from the next write of this secret."
      send={async (values, changes) => {
        const sent = {
          ...values,
          custom_metadata: pairsOf(values.custom_metadata),
          max_versions: values.max_versions.trim() || '0',
          delete_version_after: values.delete_version_after.trim() || '0s',
        }
        const body = {
          ...Object.fromEntries(changes.map((name) => [name, sent[name]])),
          // A change of somebody else in the meantime is not overwritten.
          metadata_cas: metadata.current_metadata_version,
        }
        const params = { path: { path: spot.key } }
        const answer = await callIn(spot, 'kv.write-metadata', { params, body: body as never })
        await tell({ done: `The settings of ${nameOf(spot)} are saved`, text: warningsIn(answer) })
      }}
    >
      <AreaField
        draft={draft}
        name="custom_metadata"
        label="Texts kept with it"
        hint="One key=value on each line, no secrets: whoever may read it sees them. With expires_at=2027-06-30, the server warns before that day."
        rows={5}
        mono
      />
      <Pair>
        <TextField
          draft={draft}
          name="max_versions"
          label="Versions to keep"
          hint="The larger of this and the engine's counts."
          placeholder="As the engine"
        />
        <TextField
          draft={draft}
          name="delete_version_after"
          label="Versions can be read for"
          hint="Such as 720h, counted from the write."
          placeholder="As the engine"
        />
      </Pair>
      <SwitchField
        draft={draft}
        name="cas_required"
        label="Writes name the version they replace"
        hint="Nobody can overwrite what they have not seen."
      />
      <SwitchField draft={draft} name="metadata_cas_required" label="So do changes of metadata" />
    </Form>
  )
}
