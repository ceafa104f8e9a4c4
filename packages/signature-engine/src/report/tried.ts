import { EngineError } from '../errors/engine-error.ts'
import { type Finding, finding } from './report.ts'

/** Returns what was read; a refusal becomes a finding, because a verdict is data. */
export function tried<T>(findings: Finding[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    findings.push(finding('structure-malformed', { reason: error.message }))
    return undefined
  }
}
