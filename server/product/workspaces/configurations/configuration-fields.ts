import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

/** What a configuration version is made with. */
export const settings = fieldSet({
  autoQueueRuns: attribute.flag('Whether a run begins as soon as the content has been uploaded.', { default: true }),
  speculative: attribute.flag('Whether its runs only plan.', { default: false }),
  provisional: attribute.flag(
    'Whether it becomes the current configuration only when a run of it has been applied, not at once.',
    { default: false, shown: 'Whether it becomes the current configuration only by a run that is applied.' },
  ),
})

/** What the server notes. */
export const facts = fieldSet({
  source: attribute.text('Where it came from.'),
  error: attribute.text('Why it cannot be used, as a code.', { nullable: true }),
  errorMessage: attribute.text('Why it cannot be used, as a sentence.', { nullable: true }),
  size: attribute.whole('Bytes of the archive; null until it has been uploaded.', { nullable: true }),
  sha256: attribute.text('SHA-256 of the archive; null until it has been uploaded.', { nullable: true }),
  fileCount: attribute.whole('Files in the archive; null until it has been uploaded.', { nullable: true }),
})
