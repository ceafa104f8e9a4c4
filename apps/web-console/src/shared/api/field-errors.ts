import { CallFailure } from './request.ts'

/** The service's errors for a field and its sub-fields, such as `certificate.path`. */
export function fieldErrors(failure: unknown, field: string): string | undefined {
  if (!(failure instanceof CallFailure) || failure.reason.kind !== 'refused') return undefined
  const said = Object.entries(failure.reason.problem.errors)
    .filter(([name]) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`))
    .flatMap(([, sentences]) => sentences)
  return said.length === 0 ? undefined : said.join(' ')
}
