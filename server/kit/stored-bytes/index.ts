export {
  discardOnError,
  type Inspection,
  type Inspector,
  inTransactionRetriedOnce,
  keepStoredContent,
  type TakenContent,
  takeContent,
  takeWhole,
} from './intake.ts'
export { openContent, type StoredContent } from './outlet.ts'
export { deleteUnused } from './removal.ts'
