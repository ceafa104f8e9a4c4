import { StartupProblem } from '../errors/index.ts'

/** A database that cannot be used, as one sentence that begins with the setting to check. */
export function databaseProblem(service: string, sentence: string, cause?: unknown): StartupProblem {
  const setting = `${service} Database:Url`
  return new StartupProblem(`${setting}: ${sentence}`, { setting, cause })
}
