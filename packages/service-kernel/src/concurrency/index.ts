export { Alarm } from './alarm.ts'
