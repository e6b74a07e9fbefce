/**
 * What endpoints of `/api/v2` are declared with. Requests: `resourceBody`, `draftBody`, `listBody`, `looseBody` over
 * `attribute` and `relation`; `listQuery`, `selectionQuery`, `showQuery` over `parameter`. Answers: `answerOne`,
 * `answerCreated`, `answerPage`, `answerAll`, `answerWritten` over plain `Resource` values, with `toOne`, `toMany`,
 * `toLink` for their relationships.
 * Schemas of answers: `documentSchema(resourceSchema(…))`, `pageSchema`, `allSchema` over `shown`. Fields that are
 * stored are described by `fieldSet`, whose `fields`, `shown` and `toDocument` serve all of these; `changing` makes the
 * body of a change of those that one is made with.
 */
export { attribute, spelled } from './attribute-kinds.ts'
export type { Attribute, Values } from './attributes.ts'
export { changing, fieldSet } from './document-field-set.ts'
export { failureShapes, invalidAttribute, invalidDocument, invalidRelationship, requireNoFaults } from './faults.ts'
export { continuedAt, entriesOn, type PageRequest, rangeOf } from './paging.ts'
export { parameter } from './parameters.ts'
export {
  type ListQuery,
  listQuery,
  type ParameterValues,
  type ShowQuery,
  selectionQuery,
  showQuery,
} from './queries.ts'
export { refusedAsDocument } from './refused-as-document.ts'
export { type Item, relation } from './relationships.ts'
export {
  draftBody,
  type LooseBody,
  listBody,
  looseBody,
  type ReadMembers,
  requireSameId,
  resourceBody,
} from './resource-bodies.ts'
export {
  type AnswerContext,
  type AnswerExtras,
  answerAll,
  answerCreated,
  answerOne,
  answerPage,
  type Identifier,
  type PageDocument,
  pageDocument,
  type Relationship,
  type Resource,
  toLink,
  toMany,
  toOne,
} from './resource-documents.ts'
export { allSchema, documentSchema, metaSchema, pageSchema, resourceSchema, shown } from './schemas.ts'
export { answerWritten, withChanged, writeResource } from './written.ts'
