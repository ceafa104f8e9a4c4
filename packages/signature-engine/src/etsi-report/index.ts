// The validation report of ETSI TS 119 102-2, from a report of the engine.
export { etsiReport } from './etsi-report.ts'
