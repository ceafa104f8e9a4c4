export { Alarm } from './alarm.ts'
export { KeyedMutex } from './keyed-mutex.ts'
export { Semaphore } from './semaphore.ts'
