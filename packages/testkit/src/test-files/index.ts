export { atEveryFileStart, atFileEnd, whenDone } from './file-hooks.ts'
export { type PkiOfFiles, pkiOfFiles, pkiOfToday } from './pki-of-files.ts'
