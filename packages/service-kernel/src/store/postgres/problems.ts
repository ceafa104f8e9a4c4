import { notedUnreachable, type StartupProblem } from '../../errors/index.ts'
import { databaseProblem } from '../database-problem.ts'
import { placeOf } from './connection.ts'

type Sentence = (place: string) => string

const unreachable: Sentence = (place) => `nothing answers at ${place}; start PostgreSQL there or change the address.`
const rejected: Sentence = (place) => `PostgreSQL at ${place} rejects the user or the password; correct them.`
const untrusted: Sentence = (place) =>
  `the TLS certificate of PostgreSQL at ${place} is not trusted; name its authority in sslrootcert.`

/** SQLSTATE codes (PostgreSQL, appendix A), system codes and TLS codes that an operator can fix. */
const byCode: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ECONNRESET: unreachable,
  ENOENT: unreachable,
  ENOTFOUND: (place) => `the host of ${place} has no address; correct its name.`,
  EAI_AGAIN: (place) => `the host of ${place} cannot be looked up; check the name service or the host's name.`,
  '28P01': rejected,
  '28000': rejected,
  '3D000': (place) => `PostgreSQL has no database ${place}; create it or name another.`,
  '42501': (place) => `the user may not create its schema or tables in ${place}; grant CREATE on the database.`,
  '53100': (place) => `the disk of PostgreSQL at ${place} is full; make room there.`,
  '53300': (place) => `PostgreSQL at ${place} has no connection left; raise max_connections or stop other clients.`,
  '57P03': (place) => `PostgreSQL at ${place} is starting or stopping; try again when it is ready.`,
  '25006': (place) => `PostgreSQL at ${place} is read-only (a standby?); name the primary server.`,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  CERT_HAS_EXPIRED: untrusted,
}

/**
 * Codes of a server that is out of reach for now, besides those where nothing answers. All others stay until somebody
 * changes a setting or a right: a host without an address is taken for a mistyped one.
 */
const passing: ReadonlySet<string | undefined> = new Set(['EAI_AGAIN', '53300', '57P03'])

/** The driver gives these no code. */
const byMessage: readonly { readonly pattern: RegExp; readonly sentence: Sentence }[] = [
  { pattern: /timeout/i, sentence: unreachable },
  { pattern: /terminated unexpectedly/, sentence: unreachable },
  { pattern: /password must be a string/, sentence: rejected },
  {
    pattern: /does not support SSL/,
    sentence: (place) => `PostgreSQL at ${place} speaks no TLS; enable it there or remove sslmode.`,
  },
]

/** The operator's sentence for an error of PostgreSQL or its connection; undefined when it is a bug. */
export function postgresProblem(service: string, url: string, error: unknown): StartupProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const code = (error as Error & { code?: string }).code
  const sentence = code ? byCode[code] : byMessage.find(({ pattern }) => pattern.test(error.message))?.sentence
  if (!sentence) return undefined
  const problem = databaseProblem(service, sentence(placeOf(url)), error)
  return sentence === unreachable || passing.has(code) ? notedUnreachable(problem) : problem
}
