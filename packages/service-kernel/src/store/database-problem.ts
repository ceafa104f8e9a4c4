import { StartupProblem } from '../errors/index.ts'

/** A database that cannot be used, as one sentence beginning with the setting the operator must look at. */
export function databaseProblem(service: string, sentence: string, cause?: unknown): StartupProblem {
  const setting = `${service} Database:Url`
  return new StartupProblem(`${setting}: ${sentence}`, { setting, cause })
}
