export { atEveryFileStart, atFileEnd, whenDone } from './file-hooks.ts'
