import { useState } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { IconDownload } from '../../kit/icons.ts'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { fileName, isStored, type Version } from './versions.ts'

/** Saves the content of a version; its address is asked for when it is needed, since it ends after a while. */
export function Download({ version }: { version: Version }) {
  const { name } = useWorkspace()
  const say = useToasts()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const { data } = await call('state-versions.show', { params: { path: { stateVersionId: version.id } } })
      const url = new URL(data.attributes['hosted-state-download-url'] ?? '')
      const link = document.createElement('a')
      // The server may be known to itself by another name than to this browser.
      link.href = url.pathname
      link.download = fileName(name, version)
      link.click()
    } catch (error) {
      say.failed('The state was not downloaded', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button small busy={isBusy} reason={isStored(version) ? undefined : 'Its content is not there.'} onClick={download}>
      <IconDownload size={15} stroke={1.6} aria-hidden="true" />
      Download
    </Button>
  )
}
