import { defineFeature, type Feature } from '../../kit/feature.ts'
import { changeEndpoints } from './change-endpoints.ts'

export { recordChange, recordUpdate } from './change-actions.ts'
export { answerChanges } from './change-answers.ts'
export { changesById, type FeedScope, loadRemovals } from './change-feed-store.ts'
export { ChangeFollower } from './change-follower.ts'
export { ChangeReader, type FeedCursor, readCursor } from './change-reader.ts'
export { type Author, authorOf, type Change, type Members, type RecordedChange, serverAuthor } from './change-rules.ts'
export { changeSchema } from './change-wire.ts'
export { feedTurn } from './feed-turn.ts'

/** The change log: who changed what, written in the transaction that changes it. */
export const changeLogFeature: Feature = defineFeature({ name: 'change-log', endpoints: changeEndpoints })
