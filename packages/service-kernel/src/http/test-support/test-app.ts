import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ErrorVocabulary } from '../../errors/index.ts'
import type { AccessScheme } from '../access.ts'
import { fixedApiKeys } from '../api-keys/ring.ts'
import { type App, createApp } from '../app.ts'
import type { AppOptions, CallersOf, SchemeCallers } from '../app-options.ts'
import { errorEnvelope } from '../dialects/error-envelope.ts'
import type { FrameworkErrors } from '../failure.ts'
import { drain } from '../limits/drain.ts'
import { createLogger } from '../logs/logger.ts'

/** One code per failure, so that a test sees which one was answered. */
export const testErrors = {
  'bad-json': { status: 400, message: 'The body is not JSON.' },
  'bad-field': { status: 400, message: 'A field is wrong.' },
  'bad-type': { status: 400, message: 'The media type is not accepted.' },
  'too-large': { status: 413, message: 'The body is too large.' },
  'no-route': { status: 404, message: 'Nothing is here.' },
  'no-key': { status: 401, message: 'The key is not accepted.' },
  'too-many': { status: 429, message: 'Too many calls.' },
  'too-busy': { status: 503, message: 'Come back later.' },
  broken: { status: 500, message: 'Something failed.' },
  'job.gone': { status: 410, message: 'The job is gone.' },
  NotAllowed: { status: 422, message: 'This is not allowed.' },
} as const satisfies ErrorVocabulary

export const testFrameworkErrors: FrameworkErrors<keyof typeof testErrors> = {
  'invalid-json': 'bad-json',
  validation: 'bad-field',
  'unsupported-media-type': 'bad-type',
  'body-too-large': 'too-large',
  'unknown-route': 'no-route',
  unauthorized: 'no-key',
  'rate-limited': 'too-many',
  busy: 'too-busy',
  internal: 'broken',
}

/** The key every test app accepts. */
export const KEY = 'k'.repeat(64)
export const withKey = { 'x-api-key': KEY } as const

export interface TestApp<C extends SchemeCallers> {
  readonly app: App<keyof typeof testErrors, CallersOf<C>>
  /** Every line logged so far, parsed. */
  readonly lines: readonly Record<string, unknown>[]
}

type TestAppOptions<C extends SchemeCallers> = Partial<Omit<AppOptions<typeof testErrors, C>, 'logger' | 'schemes'>> & {
  readonly schemes?: { readonly [Name in keyof C]: AccessScheme<C[Name]> }
}

/** An app with a key, the session dialect and a log that stays in memory; closed when the test ends. */
export async function testApp<C extends SchemeCallers = Record<never, never>>(
  options: TestAppOptions<C> = {},
): Promise<TestApp<C>> {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = await createApp<typeof testErrors, C>({
    service: { name: 'test', title: 'Test', version: '1.2.3' },
    dialect: errorEnvelope,
    vocabulary: testErrors,
    frameworkErrors: testFrameworkErrors,
    environment: 'production',
    logger: createLogger({ service: 'test', level: 'debug', destination }),
    keys: { ring: fixedApiKeys({ tester: KEY }) },
    ...options,
  })
  onTestFinished(async () => void (await drain(app, 30)))
  return { app, lines }
}

/** Listens on a free port of the loopback address; returns the base URL. */
export async function listen(app: App): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
