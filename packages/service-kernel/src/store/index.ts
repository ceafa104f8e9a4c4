export { dialectOf, notify } from './adapter.ts'
export {
  type BackupStoreOptions,
  backupStore,
  type RestoredStore,
  type RestoreStoreOptions,
  restoreStore,
  storeFile,
} from './backup-store.ts'
export { containing, containingAnyCase } from './containing.ts'
export { hasTable } from './has-table.ts'
export { type HotStatement, hotStatement, runStatement, type StatementForm } from './hot-statement.ts'
export { insertRows, type NewRows } from './insert-rows.ts'
export {
  type InstanceLease,
  type InstanceLeaseOptions,
  instanceLeaseMigrations,
  type LeaseTimes,
  takeInstanceLease,
} from './instance-lease.ts'
export { joinedStore } from './joined-store.ts'
export { type JsonColumns, jsonList, jsonRow, jsonRows } from './json-rows.ts'
export { checksumsOf, type MigrationReport, type MigrationStep, migrate, type RecordedStep } from './migrate.ts'
export { type OpenStoreOptions, openStore } from './open-store.ts'
export { storeOf, tablesOf } from './part-of-store.ts'
export { lists, type Notation, notations, portableStatement } from './portable-statement.ts'
export { isCertainlyGone, type ProcessMark, thisProcess } from './process-mark.ts'
export { newRowId } from './row-id.ts'
export { sharingTransactions, writeAlone } from './shared-transactions.ts'
export type { Db, Dialect, Migration, MigrationSet, Store } from './store.ts'
export { move, moving } from './transition.ts'
export { isUniqueViolation } from './unique-violation.ts'
