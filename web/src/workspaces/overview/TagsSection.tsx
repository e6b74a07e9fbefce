import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Tag } from '../../kit/Filters.tsx'
import { Section } from '../../kit/Page.tsx'
import { includedOf, projectOf, useWorkspace } from '../workspace.tsx'
import styles from './Overview.module.css'
import { TagsDialog } from './TagsDialog.tsx'
import { shownTags } from './tags.ts'

/** The tags of a workspace, and which of them its project gives it. */
export function TagsSection() {
  const workspace = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const bindings = includedOf(workspace, 'effective-tag-bindings')
  const tags = shownTags(bindings, workspace.attributes['tag-names'] ?? [])
  return (
    <Section
      title="Tags"
      count={tags.own.length + tags.inherited.length}
      actions={
        <Button small reason={workspace.reasonNot('can-manage-tags')} onClick={() => setOpen(true)}>
          Change…
        </Button>
      }
    >
      <Row tags={tags.own} />
      {tags.inherited.length > 0 && (
        <>
          <p className="faint">From project {projectOf(workspace)?.attributes.name}</p>
          <Row tags={tags.inherited} />
        </>
      )}
      {tags.own.length + tags.inherited.length === 0 && <p className="soft">None. Tags group workspaces in lists.</p>}
      {isOpen && <TagsDialog own={tags.own} close={() => setOpen(false)} />}
    </Section>
  )
}

const Row = ({ tags }: { tags: readonly { key: string; value: string }[] }) => (
  <p className={styles.tags}>
    {tags.map(({ key, value }) => (
      <Tag key={`${key}=${value}`} name={key} value={value} />
    ))}
  </p>
)
