export { type TestStore, testStores } from './test-stores.ts'
