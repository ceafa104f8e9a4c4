export { chainedRecords } from './store/chained-records.ts'
