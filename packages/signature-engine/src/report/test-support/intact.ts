import { type IntegrityReport, passed } from '../check.ts'

/** Of a signature that is what it should be, trust apart. */
export const INTACT: IntegrityReport = { content: passed, signature: passed, certificateBinding: passed }
