export { type Door, doorTo } from './door.ts'
export { type TestStore, testStores } from './test-stores.ts'
