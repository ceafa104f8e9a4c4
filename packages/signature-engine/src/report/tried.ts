import { EngineError } from '../errors/engine-error.ts'
import { type Finding, finding } from './report.ts'

/** Returns what was read; a refusal becomes a finding, because a verdict is data. */
export function tried<T>(findings: Finding[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    findings.push(malformed(error))
    return undefined
  }
}

/** A structure that was refused. */
export const malformed = (error: EngineError): Finding => finding('structure-malformed', { reason: reasonOf(error) })

/** Why, without the sentence around it: that of the finding says once that something is malformed. */
export function reasonOf({ message, details }: EngineError): string {
  const reason = typeof details?.reason === 'string' ? details.reason : message
  return reason.replace(/\.+$/, '')
}
