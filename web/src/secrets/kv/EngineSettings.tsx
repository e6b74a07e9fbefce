import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { SwitchField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { useDone } from '../act.ts'
import { callIn, kvSubjects, type Spot } from './engine.ts'

type Config = Schemas['SecretEngineConfig']

/** What holds for all secrets of an engine. */
export function EngineSettings({ spot, close }: { spot: Spot; close: () => void }) {
  const asked = useAnswer('kv.read-config', {}, { mount: spot.engine.path })
  if (asked.data) return <Settings spot={spot} config={(asked.data as { data: Config }).data} close={close} />
  return (
    <Dialog title={`Settings of ${spot.engine.path}`} close={close}>
      <Answer of={asked} failed="The settings could not be read">
        {() => null}
      </Answer>
    </Dialog>
  )
}

const valuesOf = (config: Config) => ({
  ...config,
  max_versions: String(config.max_versions),
  delete_version_after: config.delete_version_after === '0s' ? '' : config.delete_version_after,
})

function Settings({ spot, config, close }: { spot: Spot; config: Config; close: () => void }) {
  const draft = useDraft(valuesOf(config))
  const tell = useDone(kvSubjects)
  return (
    <FormDialog
      title={`Settings of ${spot.engine.path}`}
      close={close}
      draft={draft}
      isNew={false}
      action="Save settings"
      effect="Holds from the next write."
      send={async (values, changes) => {
        const sent = { ...values, delete_version_after: values.delete_version_after.trim() || '0s' }
        const body = Object.fromEntries(changes.map((name) => [name, sent[name]])) as never
        await callIn(spot, 'kv.write-config', { body })
        await tell({ done: `The settings of ${spot.engine.path} are saved` })
      }}
    >
      <TextField
        draft={draft}
        name="max_versions"
        label="Versions to keep"
        hint="Of each secret; 0 for 10. Older ones are removed for good."
        type="number"
      />
      <TextField
        draft={draft}
        name="delete_version_after"
        label="Versions can be read for"
        hint="Such as 720h, counted from the write."
        placeholder="Always"
      />
      <SwitchField
        draft={draft}
        name="cas_required"
        label="Writes name the version they replace"
        hint="Nobody can overwrite what they have not seen."
      />
      <SwitchField draft={draft} name="metadata_cas_required" label="So do changes of metadata" />
      <SwitchField draft={draft} name="history" label="Note who uses secrets" hint="One line for each user and verb." />
    </FormDialog>
  )
}
