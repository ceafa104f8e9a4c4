import type { MatrixCaller, MatrixCallers } from './auth-matrix.ts'

type May = MatrixCaller['may']

/** Of the rights of a caller: these accesses, whatever is done. */
export const anyOf =
  (...accesses: readonly string[]): May =>
  (access) =>
    accesses.includes(access)

/** Nothing. */
export const nothing: May = () => false

/** Only reading, of what this caller may otherwise: what another site's page has a browser do. */
export const onlyReading =
  (may: May): May =>
  (access, method, route) =>
    method === 'GET' && may(access, method, route)

/** A cookie's value with another letter before its last, which has bits that say nothing. */
export const tampered = (value: string): string =>
  `${value.slice(0, -2)}${value.at(-2) === 'A' ? 'B' : 'A'}${value.at(-1)}`

/** Callers who send one of these values in a header, and may the same. */
export const bearing = (header: string, values: Readonly<Record<string, string>>, may: May): MatrixCallers =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { headers: { [header]: value }, may }]))
